package import HelioCore
package import HelioRTP

/// An RTP packet of the video stream: decrypted, replay-checked and with its extended sequence number, but not yet in
/// order.
package struct MediaPacket: Sendable {
    /// The whole packet, with its RTP header.
    package var bytes: [UInt8]
    /// The range of the decrypted payload in `bytes`.
    package var payload: Range<Int>
    package var sequence: ExtendedSequence
    /// The RTP timestamp, in ticks of 90 kHz.
    package var timestamp: UInt32
    /// True for the last packet of its frame.
    package var marker: Bool
    /// The frame's times at the source, if the packet carries them.
    package var timing: FrameTimingExtension?
    /// The RTP timestamp of the first frame that the packet's repair picture can follow; `nil` except on the picture's
    /// first packet.
    package var repairsSince: UInt32?
    package var arrival: Instant
    /// True if the packet was restored from parity.
    package var isRestored = false

    /// - Precondition: `payload` lies within `bytes`.
    package init(
        bytes: [UInt8], payload: Range<Int>, sequence: ExtendedSequence, timestamp: UInt32, marker: Bool,
        timing: FrameTimingExtension? = nil, arrival: Instant
    ) {
        precondition(payload.lowerBound >= 0 && payload.upperBound <= bytes.count, "payload outside its packet")
        self.bytes = bytes
        self.payload = payload
        self.sequence = sequence
        self.timestamp = timestamp
        self.marker = marker
        self.timing = timing
        self.arrival = arrival
    }
}
