package import HelioBroadcast
package import HelioCore
package import HelioPeerPort
package import HelioWHIPLink

/// The settings of a sender that are not in its address.
package struct WHIPOptions: Sendable {
    package var broadcast = BroadcastSettings()
    package var exchange = WHIPSettings()
    /// Where this end is reached.
    package var port = PeerPortSettings()
    /// How long the server may be silent until the connection is lost; longer than the 5 s from one check to the next.
    package var silence = Duration.seconds(12)
    /// How long STUN and TURN servers may take to answer, until the offer goes without them.
    package var gatheringTime = Duration.seconds(2)
    /// The most that the path is taken to carry, and is probed for: several times the encode's rate, so that keyframes are
    /// not held up.
    package var mostBitrate = Bitrate.megabits(30)
    /// What the path is taken to carry at first; `nil`: it is begun with care.
    package var startBitrate: Bitrate?

    package init() {
        // The offer, its answer, and the way to the server's media: who gives up sooner never hears of it.
        broadcast.connectTimeout = .seconds(30)
    }
}
