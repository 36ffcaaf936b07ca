package import HelioCore

/// What is known of a stream that is sent.
package struct OutboundStatistics: Sendable, Hashable {
    package var ssrc: SSRC
    /// Each packet once; those that were sent again come on top.
    package internal(set) var packets = 0
    /// Of payload.
    package internal(set) var bytes = 0
    package internal(set) var frames = 0
    package internal(set) var keyframes = 0
    /// Whole frames that found the path too slow.
    package internal(set) var droppedFrames = 0
    package internal(set) var retransmittedPackets = 0
    package internal(set) var retransmittedBytes = 0
    /// Packets that the peer asked for again, each as often as it asked.
    package internal(set) var nackedPackets = 0
    package internal(set) var pictureLossIndications = 0
    package internal(set) var fullIntraRequests = 0
    /// By the peer's last report: since its start, and in the last interval, 0...1.
    package internal(set) var packetsLost = 0
    package internal(set) var fractionLost = 0.0
    package internal(set) var jitter: Duration = .zero
    package internal(set) var roundTrip: Duration?

    package init(ssrc: SSRC) { self.ssrc = ssrc }
}
