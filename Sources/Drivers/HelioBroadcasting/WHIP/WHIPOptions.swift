package import HelioBroadcast
package import HelioCore
package import HelioPeerPort

/// The settings of a WHIP sender that are not part of its address.
package struct WHIPOptions: Sendable {
    package var broadcast = BroadcastSettings()
    package var exchange = WHIPSettings()
    /// The settings of the UDP and TCP ports of this end.
    package var port = PeerPortSettings()
    /// The time without packets from the server after which the connection counts as lost; longer than the 5 s between
    /// consent checks.
    package var silence = Duration.seconds(12)
    /// The longest wait for STUN and TURN servers; after it, the offer is sent without their candidates.
    package var gatheringTime = Duration.seconds(2)
    /// The maximum of the path's estimated and probed bitrate: several times the video's bitrate, so that keyframes are
    /// not delayed.
    package var mostBitrate = Bitrate.megabits(30)
    /// A bitrate that the path is known to carry, used as the first estimate; `nil` starts with a low estimate.
    package var startBitrate: Bitrate?

    package init() {
        // The time covers the offer, its answer, and the connection to the server's media; a shorter time would end
        // before the outcome is known.
        broadcast.connectTimeout = .seconds(30)
    }
}
