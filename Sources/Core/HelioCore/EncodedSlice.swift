/// A part of one access unit, on its way from an encoder to the packetiser while the rest is still
/// being coded: one or more whole NAL units.
package struct EncodedSlice: Sendable {
    /// The access unit's number, counted from 0, without gaps, in coding order (row 77's second key).
    package var frameIndex: UInt64
    /// NAL units in Annex-B form: each behind a start code of 3 or 4 bytes (row 89).
    package var annexB: [UInt8]
    /// True for the first part: parameter sets and SEI come here.
    package var isFirst: Bool
    /// True for the last part: its last packet carries RTP's marker bit.
    package var isLast: Bool
    /// True if the access unit can be decoded without any before it.
    package var isKeyframe: Bool
    package var timing: FrameTiming
    /// The frame index of the first frame that this one repairs losses after: it can be decoded by whoever has that
    /// frame, or any later one, as the last; `nil` where it needs the frame right before it, or none.
    package var repairsSince: UInt64?
    /// The encode that it is of: frames refer to others of the same one alone.
    package var encoding: EncodingID

    package init(
        frameIndex: UInt64, annexB: [UInt8], isFirst: Bool, isLast: Bool, isKeyframe: Bool, timing: FrameTiming,
        repairsSince: UInt64? = nil, encoding: EncodingID = .main
    ) {
        self.frameIndex = frameIndex
        self.annexB = annexB
        self.isFirst = isFirst
        self.isLast = isLast
        self.isKeyframe = isKeyframe
        self.timing = timing
        self.repairsSince = repairsSince
        self.encoding = encoding
    }
}

/// The instants at which a frame passed each stage of the source, on the source's clock.
///
/// `captured` is the instant at which the screen's content was known to be this picture: right before
/// the request for its pixels. A later slice knows more stages than an early one.
package struct FrameTiming: Sendable, Hashable {
    /// When the change was first known (the damage event); equals `captured` if nothing reported it.
    package var damaged: Instant
    package var captured: Instant
    /// When the pixels had been converted to the encoder's format.
    package var converted: Instant?
    /// When the encoder gave its last slice.
    package var encoded: Instant?

    package init(damaged: Instant, captured: Instant, converted: Instant? = nil, encoded: Instant? = nil) {
        self.damaged = damaged
        self.captured = captured
        self.converted = converted
        self.encoded = encoded
    }
}

/// A whole access unit as it leaves the jitter buffer for the decoder.
package struct ReceivedFrame: Sendable {
    /// The codec. May change from a keyframe on.
    package var codec: VideoCodec
    /// The access unit in Annex-B form, with start codes of 4 bytes.
    package var annexB: [UInt8]
    /// RTP timestamp, 90 kHz, widened to 64 bits.
    package var mediaTime: Int64
    /// The frame's number in decoding order at the sink: second key after equal times (row 77).
    package var frameIndex: UInt64
    package var isKeyframe: Bool
    /// The first packet's arrival, on the sink's clock.
    package var firstArrival: Instant
    /// The arrival of the packet that made the frame whole, on the sink's clock.
    package var completed: Instant
    /// The source's stages, on the *source's* clock, if the source told them.
    package var sourceTiming: FrameTiming?
    /// When the source handed the frame's last packet to the socket, on the source's clock.
    package var sent: Instant?
    /// The bytes of `annexB` that were given out before, as `ReceivedPart`s.
    package var handedOut: Int

    package init(
        codec: VideoCodec = .h264, annexB: [UInt8], mediaTime: Int64, frameIndex: UInt64, isKeyframe: Bool,
        firstArrival: Instant,
        completed: Instant, sourceTiming: FrameTiming? = nil, sent: Instant? = nil, handedOut: Int = 0
    ) {
        self.codec = codec
        self.annexB = annexB
        self.mediaTime = mediaTime
        self.frameIndex = frameIndex
        self.isKeyframe = isKeyframe
        self.firstArrival = firstArrival
        self.completed = completed
        self.sourceTiming = sourceTiming
        self.sent = sent
        self.handedOut = handedOut
    }

    /// Where what was not given out before begins.
    package var rest: ReceivedPart.Place {
        ReceivedPart.Place(timestamp: UInt32(truncatingIfNeeded: mediaTime), offset: handedOut)
    }
}
