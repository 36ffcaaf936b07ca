/// A packet of coded sound as a sink has it: opened, not yet in order.
package struct ReceivedSound: Sendable, Hashable {
    package var origin: SoundOrigin
    package var codec: SoundCodec
    /// The RTP payload: what `SoundDecoding` decodes.
    package var payload: [UInt8]
    /// The number of the packet. What redundancy brings of an earlier packet has that one's number.
    package var sequence: ExtendedSequence
    /// The first sample's time in sample frames of 48 kHz, widened to 64 bits.
    package var mediaTime: Int64
    /// True for the first packet after silence that was not sent.
    package var beginsTalk: Bool
    /// True where it came as redundancy within a later packet (RFC 2198), not by itself.
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

/// When sound was heard at its source: by this, sound and picture are shown in step (RTP's sender reports tell it).
package struct SoundClock: Sendable, Hashable {
    package var origin: SoundOrigin
    /// A time of the stream, in sample frames of 48 kHz, widened as `ReceivedSound.mediaTime` is.
    package var mediaTime: Int64
    /// When it was heard there, on the source's clock: that of `FrameTiming.captured`.
    package var captured: Instant

    package init(origin: SoundOrigin = .system, mediaTime: Int64, captured: Instant) {
        self.origin = origin
        self.mediaTime = mediaTime
        self.captured = captured
    }
}
