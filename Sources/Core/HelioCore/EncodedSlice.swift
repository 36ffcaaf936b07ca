/// A part of one access unit, on its way from the encoder to the packetiser while the rest is still being encoded: one
/// or more whole NAL units.
package struct EncodedSlice: Sendable {
    /// The access unit's number in coding order, counted without gaps from `EncodingID.firstFrameIndex`, which is 0 for
    /// the main encode (row 77's second key).
    package var frameIndex: UInt64
    /// NAL units in Annex-B form, each after a start code of 3 or 4 bytes (row 89).
    package var annexB: [UInt8]
    /// True for the first part, which includes parameter sets and SEI.
    package var isFirst: Bool
    /// True for the last part, whose last packet carries RTP's marker bit.
    package var isLast: Bool
    /// True if the access unit can be decoded without any earlier one.
    package var isKeyframe: Bool
    package var timing: FrameTiming
    /// In a repair picture, the index of the oldest frame that can serve as its reference: a viewer can decode the
    /// picture if the last frame that it has is that one or any later one. `nil` if the picture needs the frame
    /// directly before it, or no other frame.
    package var repairsSince: UInt64?
    /// The encode to which the slice belongs; frames refer only to frames of the same encode.
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
/// `captured` is the instant at which the screen's content was known to be this picture: right before the request for
/// its pixels. A frame's later slices carry more of these instants than its first.
package struct FrameTiming: Sendable, Hashable {
    /// The time of the first report of the change (the damage event); equals `captured` if nothing reported it.
    package var damaged: Instant
    package var captured: Instant
    /// The time at which the pixels had been converted to the encoder's format.
    package var converted: Instant?
    /// The time of the encoder's last slice.
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
    /// The codec, which may change at a keyframe.
    package var codec: VideoCodec
    /// The access unit in Annex-B form, with start codes of 4 bytes.
    package var annexB: [UInt8]
    /// The RTP timestamp in 90 kHz, widened to 64 bits.
    package var mediaTime: Int64
    /// The frame's number in decoding order at the sink: the second sort key for equal times (row 77).
    package var frameIndex: UInt64
    package var isKeyframe: Bool
    /// The first packet's arrival, on the sink's clock.
    package var firstArrival: Instant
    /// The arrival of the packet that completed the frame, on the sink's clock.
    package var completed: Instant
    /// The instants of the source's stages, on the *source's* clock; `nil` if the source did not send them.
    package var sourceTiming: FrameTiming?
    /// The time at which the source handed the frame's last packet to the socket, on the source's clock.
    package var sent: Instant?
    /// The number of bytes of `annexB` that were already output as `ReceivedPart`s.
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

    /// The position in `annexB` from which on bytes were not output as `ReceivedPart`s.
    package var rest: ReceivedPart.Place {
        ReceivedPart.Place(timestamp: UInt32(truncatingIfNeeded: mediaTime), offset: handedOut)
    }
}
