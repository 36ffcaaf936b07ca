package import HelioCore

/// What of a broadcast's statistics is WHIP's own: of the present connection.
package struct WHIPStatistics: Sendable, Hashable {
    /// What the path is estimated to carry of video.
    package var estimate: Bitrate?
    /// How long the last packet of video that waits to be paced out has to.
    package var pacing = Duration.zero
    /// The `profile-level-id` of H.264 that was agreed on: `64002a`, say.
    package var profile: String?
    /// True where the server takes the sound too.
    package var hasSound = false
    /// Requests of the server for a keyframe.
    package var keyframeRequests = 0
    package var packets = 0
    package var retransmittedPackets = 0
    /// What got lost, by the server's last report: 0 to 1.
    package var fractionLost = 0.0
    /// Whole pictures that were dropped behind the queue, as the path was too slow.
    package var droppedPictures = 0
    /// Both ends of the path, as `host 192.0.2.1:5000 -> host 192.0.2.7:6000`.
    package var path: String?

    package init() {}
}
