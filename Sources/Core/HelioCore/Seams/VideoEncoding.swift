/// A video encoder that turns each picture into an access unit, and outputs its slices while it is still encoding.
///
/// All methods are called on the media thread. An encoder that has thrown an error is replaced (requirement row 7); a
/// failure never traps.
package protocol VideoEncoding<Picture>: AnyObject {
    associatedtype Picture

    var format: VideoFormat { get }
    /// A human-readable description: 'x264, ultrafast, 4:2:0'.
    var summary: String { get }
    var isHardware: Bool { get }
    /// True if `reconfigure` changes bitrate or frame rate without a keyframe.
    var changesRatesInPlace: Bool { get }
    /// The number of refinement steps of a picture that no longer changes; 0 if refinement is not supported.
    var refinementSteps: Int { get }
    /// True once the last encoded picture is visually lossless, so that refinement would not improve it.
    var isSharp: Bool { get }
    /// True if the encoder supports repair pictures (`EncodeRequest.repairSince`); otherwise only a keyframe repairs a
    /// loss.
    var repairs: Bool { get }
    /// The quality of the last live picture, which is neither a keyframe nor a refinement; `nil` before the first live
    /// picture, and always if the encoder does not report the quality.
    var quality: CodedQuality? { get }

    /// Encodes one picture. A refinement with nothing to refine may emit nothing, and then does not count as a picture.
    ///
    /// - Parameters:
    ///   - damage: the part that changed since the previous picture; everything else is encoded as unchanged.
    ///   - emit: called with each run of NAL units as soon as it is ready, in decoding order, before `encode` returns,
    ///     on an arbitrary thread but never on two at once. Slices are at most `maxSliceBytes` long if the encoder can
    ///     limit them.
    func encode(
        _ picture: Picture, damage: Region, request: EncodeRequest, timing: FrameTiming,
        emit: (EncodedSlice) -> Void
    ) throws(HelioError)

    /// Allows keyframes to be encoded in parallel to other pictures, so that changes do not wait for a keyframe.
    ///
    /// `encode` then encodes only the changes of a picture that is passed with a keyframe request, or emits nothing if
    /// there are none, and `takeKeyframe` outputs the keyframe later. If that is not possible, as for the first picture
    /// or an entirely new one, the picture itself becomes the keyframe as usual.
    ///
    /// - Parameter wake: called on any thread once a keyframe is complete.
    func codeKeyframesAside(wake: @escaping @Sendable () -> Void)

    /// The state of the keyframe that is encoded in parallel. While the state is not `absent`, this keyframe answers
    /// all keyframe requests, and `encode` emits nothing for a refinement, nor for a picture that can't be encoded at
    /// the same time. The changes of that picture are encoded with the first picture after `takeKeyframe`.
    var keyframeAside: KeyframeAside { get }

    /// Outputs the keyframe that was encoded in parallel, as the next frame.
    ///
    /// The keyframe's capture time is the time of this call, as later pictures have already been output.
    ///
    /// - Parameters:
    ///   - picture: the current picture, in which everything that the keyframe lacks is marked as changed.
    ///   - frameIndex: the keyframe's frame index; `nil` if the encoder counts its pictures itself.
    /// - Returns: `nil` if no keyframe is complete; otherwise true if `picture` has changed since and has to be encoded
    ///   at once, as viewers have already seen newer content than the keyframe has.
    func takeKeyframe(
        of picture: Picture, frameIndex: UInt64?, now: Instant, emit: (EncodedSlice) -> Void
    ) throws(HelioError) -> Bool?

    /// Returns the time that the configured bitrate needs for the bits that earlier pictures used in excess of it: a
    /// picture encoded before then would only wait in a queue. Zero if the encoder itself enforces the bitrate.
    func debt(now: Instant) -> Duration

    /// Changes bitrate, frame rate or size while running. The next picture has the new size; a change of size makes it
    /// a keyframe, and so does a change of a rate if `changesRatesInPlace` is false. If this throws, nothing has
    /// changed.
    func reconfigure(_ format: VideoFormat) throws(HelioError)
}

extension VideoEncoding {
    package func debt(now: Instant) -> Duration { .zero }
    package var repairs: Bool { false }
    package func codeKeyframesAside(wake _: @escaping @Sendable () -> Void) {}
    package var keyframeAside: KeyframeAside { .absent }
    package func takeKeyframe(
        of _: Picture, frameIndex _: UInt64?, now _: Instant, emit _: (EncodedSlice) -> Void
    ) throws(HelioError) -> Bool? { nil }
}

/// The options for encoding one picture.
package struct EncodeRequest: Sendable, Hashable {
    /// Requests a keyframe, preceded by its parameter sets: this picture, or a keyframe encoded in parallel
    /// (`codeKeyframesAside`).
    package var keyframe: Bool
    /// The refinement step: 0 for live pictures; 1 and up for a picture that no longer changes, each step sharper. The
    /// last step is visually lossless.
    package var refinement: Int
    /// Requests a repair picture, which a viewer can decode if it has the complete frame with this index, whichever
    /// later frames it has. If no repair picture is possible, or if it would cost about as much as a keyframe, the
    /// picture becomes a keyframe.
    package var repairSince: UInt64?
    /// The picture's frame index, in the same numbering as `repairSince`; `nil` if the encoder counts its pictures
    /// itself.
    package var frameIndex: UInt64?
    /// True if the screen no longer changes: the picture may be larger, as no other picture is queued behind it.
    package var rests: Bool

    package init(
        keyframe: Bool = false, refinement: Int = 0, repairSince: UInt64? = nil, frameIndex: UInt64? = nil,
        rests: Bool = false
    ) {
        self.keyframe = keyframe
        self.refinement = refinement
        self.repairSince = repairSince
        self.frameIndex = frameIndex
        self.rests = rests
    }
}

/// The description of a video encoder that is known on this machine, usable or not.
package struct EncoderDescription: Sendable, Hashable {
    /// The name by which the encoder is chosen: 'x264', 'h264_vaapi'.
    package var name: String
    package var codec: VideoCodec
    package var isHardware: Bool
    package var isUsable: Bool
    /// The reason why the encoder is not usable, or its description; a human-readable sentence.
    package var reason: String

    package init(name: String, codec: VideoCodec, isHardware: Bool, isUsable: Bool, reason: String) {
        self.name = name
        self.codec = codec
        self.isHardware = isHardware
        self.isUsable = isUsable
        self.reason = reason
    }
}

/// The quality of an encoded live picture, as its encoder reports it.
package struct CodedQuality: Sendable, Hashable {
    /// The quantiser, 0...51 as in H.264 and H.265: higher is coarser. Six steps more roughly halve the bits.
    package var quantiser: Int
    /// True if most of the picture is coded as motion of earlier content.
    package var isScrolled: Bool

    package init(quantiser: Int, isScrolled: Bool = false) {
        self.quantiser = quantiser
        self.isScrolled = isScrolled
    }
}

/// The state of a keyframe that an encoder encodes in parallel to other pictures.
package enum KeyframeAside: Sendable, Hashable {
    /// No keyframe is being encoded in parallel.
    case absent
    case coding
    /// The keyframe is ready for `VideoEncoding.takeKeyframe`.
    case complete
}
