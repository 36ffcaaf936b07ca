/// A video encoder: one picture in, one access unit out, slice by slice while it is being coded.
///
/// All calls come from the media thread. A failure is thrown once and the encoder is then replaced
/// (row 7); it never traps.
package protocol VideoEncoding<Picture>: AnyObject {
    associatedtype Picture

    var format: VideoFormat { get }
    /// A description for people: 'x264, ultrafast, 4:2:0'.
    var summary: String { get }
    var isHardware: Bool { get }
    /// True if `reconfigure` takes another bitrate or frame rate without a keyframe.
    var changesRatesInPlace: Bool { get }
    /// The most steps that it takes to refine a resting picture; 0: it can't.
    var refinementSteps: Int { get }
    /// True once the last picture coded is visually lossless: refining it would bring nothing.
    var isSharp: Bool { get }
    /// True if it codes repair pictures (`EncodeRequest.repairSince`); otherwise only a keyframe helps who has lost one.
    var repairs: Bool { get }
    /// The quality of the last live picture: neither a keyframe nor a refinement. `nil` before the first, and always
    /// where the encoder does not tell.
    var quality: CodedQuality? { get }

    /// Codes one picture. A refinement for which there is nothing to do may emit nothing: it is no picture then.
    ///
    /// - Parameters:
    ///   - damage: what changed since the picture before; all else is coded as constant.
    ///   - emit: called with each run of NAL units as soon as it is ready, in decoding order, before
    ///     `encode` returns, on an arbitrary thread but never on two at once. Slices are at most
    ///     `maxSliceBytes` long where the encoder can bound them.
    func encode(
        _ picture: Picture, damage: Region, request: EncodeRequest, timing: FrameTiming,
        emit: (EncodedSlice) -> Void
    ) throws(HelioError)

    /// Lets keyframes be coded aside: nothing that changes meanwhile waits for them.
    ///
    /// `encode` then codes a picture for which a keyframe is asked as if none were, or emits nothing where nothing has
    /// changed, and `takeKeyframe` hands out the keyframe later. Where that can't be done, as for the first picture or one
    /// that is all new, the picture itself becomes the keyframe as ever.
    ///
    /// - Parameter wake: called on any thread once a keyframe is complete.
    func codeKeyframesAside(wake: @escaping @Sendable () -> Void)

    /// The keyframe that is coded aside. As long as there is one, whoever asks for a keyframe gets that, and `encode`
    /// emits nothing for a refinement and for a picture that it can't code at the same time: what has changed in it comes
    /// with the first one that is coded after the keyframe was taken.
    var keyframeAside: KeyframeAside { get }

    /// Hands out the keyframe that was coded aside, as the next frame.
    ///
    /// It counts as captured when it is taken, as pictures that were captured after it have gone before it.
    ///
    /// - Parameters:
    ///   - picture: the picture that is being coded, of which everything is marked as changed that the keyframe lacks.
    ///   - frameIndex: the keyframe's frame index; `nil` where the encoder counts its pictures itself.
    /// - Returns: `nil` where none is complete; else whether `picture` has changed since: it is to be coded at once, as
    ///   viewers have seen more of it than the keyframe has.
    func takeKeyframe(
        of picture: Picture, frameIndex: UInt64?, now: Instant, emit: (EncodedSlice) -> Void
    ) throws(HelioError) -> Bool?

    /// Returns the time in which the bitrate carries what was coded beyond it: pictures of before then would only wait.
    /// Zero where the encoder keeps to the bitrate by itself.
    func debt(now: Instant) -> Duration

    /// Changes bitrate, rate or size while running. The next picture has the new size; a change of size
    /// makes it a keyframe, and so does one of the rates where `changesRatesInPlace` is false. After a failure all is
    /// as it was before.
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

/// A request for how one picture is coded.
package struct EncodeRequest: Sendable, Hashable {
    /// Make it a keyframe, with its parameter sets before it; or make one of it aside (`codeKeyframesAside`).
    package var keyframe: Bool
    /// 0 for live pictures; 1... for the steps in which a resting picture is refined, each sharper. The
    /// last step is visually lossless.
    package var refinement: Int
    /// Make it a repair picture: whoever has the frame of this index whole, and any of those after it or none, has all
    /// right by it. Where that can't be done, or would cost about as much, it becomes a keyframe.
    package var repairSince: UInt64?
    /// The picture's frame index, in which `repairSince` counts; `nil` where the encoder counts its pictures itself.
    package var frameIndex: UInt64?
    /// True for a picture that rests: it may be larger, as nothing waits behind it.
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
