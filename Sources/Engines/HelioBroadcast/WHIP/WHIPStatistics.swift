package import HelioCore

/// The statistics of a broadcast that are specific to WHIP, for the present connection.
package struct WHIPStatistics: Sendable, Hashable {
    /// The estimated bitrate available for video; `nil` before the first estimate.
    package var estimate: Bitrate?
    /// The time that the pacer needs to send all queued video packets.
    package var pacing = Duration.zero
    /// The agreed `profile-level-id` of H.264, such as `64002a`.
    package var profile: String?
    /// True while the session is connected, if the server has accepted the sound track.
    package var hasSound = false
    /// The number of keyframes that the server has requested.
    package var keyframeRequests = 0
    package var packets = 0
    package var retransmittedPackets = 0
    /// The share of packets lost according to the server's last report, 0 to 1.
    package var fractionLost = 0.0
    /// The number of pictures that were dropped from the send queue, as the path was too slow.
    package var droppedPictures = 0
    /// The candidates at both ends of the path, such as `host 192.0.2.1:5000 -> host 192.0.2.7:6000`.
    package var path: String?

    package init() {}
}
