package import HelioCore
package import HelioLinks

/// The limits and times of tunnels.
package struct TunnelSettings: Sendable {
    /// This end's own STUN and TURN servers, beside those that the rendezvous lends.
    package var iceServers: [ICEServer] = []
    /// True to use relayed candidates only, so that this end's descriptions have no address of this machine. The host
    /// learns a viewer's from the rendezvous.
    package var usesRelaysOnly = false
    package var links = LinkBundleSettings()
    /// The time until the stream is connected: from the ring at the viewer, from the offer at the host.
    package var connecting: Duration = .seconds(25)
    /// The time that names of STUN and TURN servers may take to be resolved; servers resolved later are not used.
    package var resolving: Duration = .seconds(2)
    /// The time after which a session without any link ends.
    package var linkless: Duration = .seconds(10)
    /// The time from the loss of the path by ICE until the viewer searches for a new one.
    package var searchDelay: Duration = .seconds(1)
    /// The time between searches while there is no path by ICE, or only one by a relay: a network that lets UDP through
    /// again is noticed within this time and the few seconds that ICE takes.
    package var searches: Duration = .seconds(5)
    /// The same once the kinds of both NATs have forbidden a direct path.
    package var slowSearches: Duration = .seconds(60)

    // MARK: The host's limits

    /// The number of calls at once.
    package var mostCalls = 32
    /// The number of calls at once with the secret of one pairing or link, so that its owners can't keep others out.
    package var mostCallsOfSecret = 8
    /// The number of calls within a minute from one address, those with a proven secret not counted.
    package var callsPerMinute = 8
    /// The number of machines within a minute that one device may have woken.
    package var wakesPerMinute = 6
    /// The time until a ringer's first message.
    package var firstMessage: Duration = .seconds(10)

    package init() {}
}
