package import HelioCore

/// Statistics of an outgoing stream since it began.
package struct OutboundStatistics: Sendable, Hashable {
    package var ssrc: SSRC
    /// Packets sent, without retransmissions and parity.
    package internal(set) var packets = 0
    /// Payload bytes sent, without padding, retransmissions and parity.
    package internal(set) var bytes = 0
    package internal(set) var frames = 0
    package internal(set) var keyframes = 0
    /// Whole frames dropped because the path was too slow.
    package internal(set) var droppedFrames = 0
    package internal(set) var retransmittedPackets = 0
    package internal(set) var retransmittedBytes = 0
    /// Parity packets sent, and the bytes of their payloads.
    package internal(set) var parityPackets = 0
    package internal(set) var parityBytes = 0
    /// Payload bytes sent only for probing: copies of packets, and padding.
    package internal(set) var paddingBytes = 0
    /// Packets that the peer requested by NACK, counting repeated requests.
    package internal(set) var nackedPackets = 0
    package internal(set) var pictureLossIndications = 0
    package internal(set) var fullIntraRequests = 0
    /// Requests for a repair picture, and repair pictures sent.
    package internal(set) var repairRequests = 0
    package internal(set) var repairs = 0
    /// The loss in the peer's last report: the number of packets lost since the start, and the fraction lost in the
    /// last interval, 0...1.
    package internal(set) var packetsLost = 0
    package internal(set) var fractionLost = 0.0
    package internal(set) var jitter: Duration = .zero
    package internal(set) var roundTrip: Duration?
    /// The number of measurements of `roundTrip`, so that a new measurement with the same value can be noticed.
    package internal(set) var roundTrips = 0

    package init(ssrc: SSRC) { self.ssrc = ssrc }
}
