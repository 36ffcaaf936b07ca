package import HelioCore

/// The statistics of a broadcast that only WHIP has, of the present connection.
package struct WHIPStatistics: Sendable, Hashable {
    /// The estimated bitrate of video that the path carries; `nil` before the first estimate.
    package var estimate: Bitrate?
    /// The time until the pacer has sent all queued video packets.
    package var pacing = Duration.zero
    /// The agreed `profile-level-id` of H.264, such as `64002a`.
    package var profile: String?
    /// True while the session is connected, if the server has accepted the sound track.
    package var hasSound = false
    /// The number of keyframes that the server has requested.
    package var keyframeRequests = 0
    package var packets = 0
    package var retransmittedPackets = 0
    /// The share of packets lost, by the server's last report: 0 to 1.
    package var fractionLost = 0.0
    /// Whole pictures that were dropped from the queue, as the path was too slow.
    package var droppedPictures = 0
    /// Both ends of the path, such as `host 192.0.2.1:5000 -> host 192.0.2.7:6000`.
    package var path: String?

    package init() {}
}
