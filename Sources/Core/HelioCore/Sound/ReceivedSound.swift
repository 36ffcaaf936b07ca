/// A received packet of encoded sound: decrypted, not yet in order.
package struct ReceivedSound: Sendable, Hashable {
    package var origin: SoundOrigin
    package var codec: SoundCodec
    /// The RTP payload, for `SoundDecoding`.
    package var payload: [UInt8]
    /// The sequence number of the packet. A redundant copy has the sequence number of the earlier packet.
    package var sequence: ExtendedSequence
    /// The first sample's time in sample frames at 48 kHz, widened to 64 bits.
    package var mediaTime: Int64
    /// True for the first packet after silence that was not sent.
    package var beginsTalk: Bool
    /// True for a redundant copy from a later packet (RFC 2198).
    package var isRedundant: Bool
    package var arrival: Instant

    package init(
        origin: SoundOrigin = .system, codec: SoundCodec, payload: [UInt8], sequence: ExtendedSequence,
        mediaTime: Int64, beginsTalk: Bool = false, isRedundant: Bool = false, arrival: Instant
    ) {
        self.origin = origin
        self.codec = codec
        self.payload = payload
        self.sequence = sequence
        self.mediaTime = mediaTime
        self.beginsTalk = beginsTalk
        self.isRedundant = isRedundant
        self.arrival = arrival
    }
}

/// A media time with the time of the same instant on the source's clock, from an RTP sender report. It is used to play
/// sound and picture in sync.
package struct SoundClock: Sendable, Hashable {
    package var origin: SoundOrigin
    /// A media time of the stream, in sample frames at 48 kHz, widened like `ReceivedSound.mediaTime`.
    package var mediaTime: Int64
    /// The time at which that sample was captured, on the source's clock, like `FrameTiming.captured`.
    package var captured: Instant

    package init(origin: SoundOrigin = .system, mediaTime: Int64, captured: Instant) {
        self.origin = origin
        self.mediaTime = mediaTime
        self.captured = captured
    }
}
