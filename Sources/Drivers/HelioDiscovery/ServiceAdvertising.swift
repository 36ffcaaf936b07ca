/// Announces a service on the local network until it is stopped. Implemented by Avahi on Linux and by Bonjour on
/// Apple's systems.
///
/// No call waits for the network or for another program.
package protocol ServiceAdvertising: Sendable {
    /// Withdraws the announcement. Returns once the withdrawal was sent, or after two seconds.
    func stop() async
}

/// A change of an announcement's state, reported on a thread of the advertiser.
package enum AdvertisingEvent: Hashable, Sendable {
    /// The service is announced, under this name.
    case announced(name: String)
    /// The service can't be announced now, for this reason; the advertiser tries again by itself.
    case unavailable(DiscoveryObstacle)
    /// The service can't be announced at all, for this reason.
    case refused(String)
}
