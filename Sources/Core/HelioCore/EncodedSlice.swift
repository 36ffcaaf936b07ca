/// A part of an access unit, one or more whole NAL units, on its way from the encoder to the packetizer while the rest
/// of the access unit is still being encoded.
package struct EncodedSlice: Sendable {
    /// The access unit's number in coding order, without gaps, starting at `EncodingID.firstFrameIndex`; the second
    /// sort key of requirement row 77.
    package var frameIndex: UInt64
    /// NAL units in Annex-B form, each after a start code of 3 or 4 bytes (requirement row 89).
    package var annexB: [UInt8]
    /// True for the access unit's first slice, which includes parameter sets and SEI.
    package var isFirst: Bool
    /// True for the access unit's last slice, whose last packet has RTP's marker bit.
    package var isLast: Bool
    /// True if the access unit can be decoded without any earlier access unit.
    package var isKeyframe: Bool
    package var timing: FrameTiming
    /// The index of the oldest frame that can serve as a repair picture's reference: a viewer can decode the picture if
    /// its last complete frame has this index or a later one. `nil` for other pictures, which need the directly
    /// preceding frame or none.
    package var repairsSince: UInt64?
    /// The encoding to which the slice belongs; a frame references only frames of the same encoding.
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
/// `captured` is the instant right before the pixels were requested. Later slices of a frame may have more of these
/// instants than its first slice.
package struct FrameTiming: Sendable, Hashable {
    /// The time of the first damage event for the change; equals `captured` if there was none.
    package var damaged: Instant
    package var captured: Instant
    /// The time at which the pixels had been converted to the encoder's format.
    package var converted: Instant?
    /// The time at which the encoder output the frame's last slice.
    package var encoded: Instant?

    package init(damaged: Instant, captured: Instant, converted: Instant? = nil, encoded: Instant? = nil) {
        self.damaged = damaged
        self.captured = captured
        self.converted = converted
        self.encoded = encoded
    }
}

/// A complete access unit, on its way from the jitter buffer to the decoder.
package struct ReceivedFrame: Sendable {
    /// The codec, which may change at a keyframe.
    package var codec: VideoCodec
    /// The access unit in Annex-B form, with start codes of 4 bytes.
    package var annexB: [UInt8]
    /// The RTP timestamp in 1/90,000 s, widened to 64 bits.
    package var mediaTime: Int64
    /// The frame's number in decoding order at the sink: the second sort key for equal times (requirement row 77).
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

    /// The position of the first byte that was not output as a `ReceivedPart`.
    package var rest: ReceivedPart.Place {
        ReceivedPart.Place(timestamp: UInt32(truncatingIfNeeded: mediaTime), offset: handedOut)
    }
}
