/// Announces a service on the local network for as long as it is told to: the seam that Avahi fills on Linux.
///
/// No call waits for the network or for another program.
package protocol ServiceAdvertising: Sendable {
    /// Takes the announcement back. Returns when that was said, or after two seconds.
    func stop() async
}

/// What becomes of an announcement; told on a thread of the advertiser's.
package enum AdvertisingEvent: Hashable, Sendable {
    /// Others can find it, under this name.
    case announced(name: String)
    /// It can't be announced now, and why; it will be as soon as it can.
    case unavailable(DiscoveryObstacle)
    /// It can't be announced at all, and why.
    case refused(String)
}
