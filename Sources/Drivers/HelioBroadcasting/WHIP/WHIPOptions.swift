package import HelioBroadcast
package import HelioCore
package import HelioPeerPort

/// The settings of a sender that are not in its address.
package struct WHIPOptions: Sendable {
    package var broadcast = BroadcastSettings()
    package var exchange = WHIPSettings()
    /// The port at which this end is reached.
    package var port = PeerPortSettings()
    /// The silence of the server after which the connection counts as lost; longer than the 5 s from one consent check
    /// to the next.
    package var silence = Duration.seconds(12)
    /// The longest wait for STUN and TURN servers, until the offer is sent without them.
    package var gatheringTime = Duration.seconds(2)
    /// The highest rate that the path is estimated to carry, and is probed for: several times the encode's rate, so
    /// that keyframes are not delayed.
    package var mostBitrate = Bitrate.megabits(30)
    /// The rate that the path is known to carry, used as the first estimate; with `nil`, sending starts cautiously.
    package var startBitrate: Bitrate?

    package init() {
        // The time for the offer, its answer, and the way to the server's media; a shorter one would end before the
        // outcome is known.
        broadcast.connectTimeout = .seconds(30)
    }
}
