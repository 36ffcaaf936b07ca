#if os(Linux)
internal import CNATS
package import HelioCore
internal import HelioGround
package import HelioRendezvousWire
private import Synchronization

/// The store that several instances share: key-value buckets in JetStream, of the NATS servers that join the instances.
///
/// JetStream rather than PostgreSQL: there is one server less to run, to back up and to lose, and it keeps copies on
/// several machines by itself. A relational database would have nothing to relate: each fact is one value under a
/// device's name, written whole, read by that name, and worth little once the device is back, as it publishes its
/// permits anew at each registration. For the same reason a write needs no transaction: the last one wins.
///
/// ```
///   seen.ID      the time at which the device was last connected: i64
///   permits.ID   the time of the change: i64 | permits: tag (16), expiry i64, 0 for none |
/// ```
/// Numbers are big-endian, times in seconds since 1970. Values that are not changed for 400 days expire. A key in the
/// bucket of blocked devices, `ID` with any value, blocks that device.
///
/// While the servers are away, changes wait here and are written when they are back, at the latest when the blocked
/// devices are read next. A change that has waited does not replace a later one of another instance.
package final class JetStreamStore: RendezvousStoring {
    private struct State: Sendable {
        var link: JetStreamLink?
        /// The time of the next attempt to connect.
        var nextAttempt: Instant?
        var reason = ""
        /// Values that are not written yet.
        var waiting: [String: [UInt8]] = [:]
        /// The keys of those that could not be written at once.
        var late: Set<String> = []
    }

    /// The most values that wait.
    private static let limit = 200_000
    private static let pause = Duration.seconds(2)

    package let isDurable = true
    private let place: BusPlace
    private let state = Mutex(State())

    package init(_ place: BusPlace) { self.place = place }

    package func device(_ id: RendezvousID, now: Int64) throws(HelioError) -> StoredDevice? {
        guard let seen = try value("seen.\(id.text)").flatMap({ SharedValue.time($0) }) else { return nil }
        let permits = try value("permits.\(id.text)") ?? []
        return StoredDevice(id: id, lastSeen: seen, permits: SharedValue.permits(permits, now: now))
    }

    private func value(_ key: String) throws(HelioError) -> [UInt8]? {
        if let waiting = state.withLock({ $0.waiting[key] }) { return waiting }
        return try run { link, _ throws(NATSFailure) in try link.value(key) }
    }

    package func blocked() throws(HelioError) -> [RendezvousID] {
        try run { link, state throws(NATSFailure) in
            try Self.flush(link, &state)
            return try link.blockedKeys().compactMap { RendezvousID($0) }
        }
    }

    /// Makes the changes. Some may be made if it throws; those that are not made wait.
    package func apply(_ changes: [StoredChange]) throws(HelioError) {
        let now = WallClock.milliseconds / 1000
        let hasRoom = state.withLock { state in
            for change in changes {
                let (key, value) = SharedValue.entry(change, now: now)
                state.waiting[key] = value
                state.late.remove(key)
            }
            return state.waiting.count <= Self.limit
        }
        do throws(HelioError) {
            try run { link, state throws(NATSFailure) in try Self.flush(link, &state) }
        } catch {
            let isAway = state.withLock { state in
                state.late.formUnion(state.waiting.keys)
                if !hasRoom { (state.waiting, state.late) = ([:], []) }
                return state.link == nil
            }
            // While the servers are away, which the bus tells, the changes wait.
            if !hasRoom || !isAway { throw error }
        }
    }

    /// Writes what waits; what has expired is removed by JetStream itself.
    package func clean(now: Int64, forget: Int64) throws(HelioError) {
        try run { link, state throws(NATSFailure) in try Self.flush(link, &state) }
    }

    private static func flush(_ link: JetStreamLink, _ state: inout State) throws(NATSFailure) {
        for key in state.late {
            guard let value = state.waiting[key], let own = SharedValue.time(value),
                let other = try link.value(key).flatMap({ SharedValue.time($0) }), other > own
            else { continue }
            state.waiting[key] = nil
        }
        state.late = []
        guard !state.waiting.isEmpty else { return }
        do throws(NATSFailure) {
            try link.write(state.waiting)
        } catch {
            state.late = Set(state.waiting.keys)
            throw error
        }
        state.waiting = [:]
    }

    // MARK: The connection

    /// Runs a body with a connection, which is made if there is none, but not all the time.
    private func run<Result: Sendable>(
        _ body: (JetStreamLink, inout State) throws(NATSFailure) -> Result
    ) throws(HelioError) -> Result {
        let place = self.place
        return try state.withLock { state throws(HelioError) in
            do throws(NATSFailure) {
                let link = try Self.connect(place, &state)
                return try body(link, &state)
            } catch {
                if state.link?.isConnected != true { state.link = nil }
                state.reason = error.words
                throw HelioError(
                    .systemFailed,
                    "The NATS servers \(place.text) can't be used as a store: \(error.words). Start nats-server there "
                        + "with JetStream, or name another store.", cause: error)
            }
        }
    }

    private static func connect(_ place: BusPlace, _ state: inout State) throws(NATSFailure) -> JetStreamLink {
        if let link = state.link, link.isConnected { return link }
        state.link = nil
        let now = MonotonicClock.now
        if let next = state.nextAttempt, now < next { throw NATSFailure(status: NATS_NO_SERVER) }
        state.nextAttempt = now + pause
        let link = try JetStreamLink(place)
        state.link = link
        state.nextAttempt = nil
        return link
    }
}
#endif
