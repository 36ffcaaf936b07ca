package import HelioCore
internal import HelioRendezvous

/// The buses that this build has.
enum BusLinks {
    /// Starts a bus. Throws `systemFailed` if it can't be started, and `unsupported` where there is none.
    ///
    /// - Parameters:
    ///   - memory: the time for which messages wait while the bus is away.
    ///   - tell: called on any thread.
    static func make(
        _ place: BusPlace, _ instance: InstanceID, memory: Duration, tell: @escaping @Sendable (BusNews) -> Void
    ) throws(HelioError) -> any BusLink {
        #if os(Linux)
        return try NATSBus(place, instance, memory: memory, tell: tell)
        #else
        throw HelioError(.unsupported, "Several instances by NATS are for Linux: run one instance here, without.")
        #endif
    }
}

/// The stores that instances can share in this build.
package enum SharedStores {
    /// Makes the store in the JetStream of the NATS servers. Throws `unsupported` where there is none.
    package static func make(_ place: BusPlace) throws(HelioError) -> any RendezvousStoring {
        #if os(Linux)
        return JetStreamStore(place)
        #else
        throw HelioError(.unsupported, "Several instances by NATS are for Linux: run one instance here, without.")
        #endif
    }
}
