import CX264
package import HelioCore
import HelioPatch

/// Keyframes that are encoded in parallel: on another thread, while the encoding of pictures continues.
extension X264Encoder {
    /// Returns how to encode a picture while a keyframe is encoded in parallel, or if this picture starts such a
    /// keyframe.
    ///
    /// - Parameters:
    ///   - way: how to encode the picture if no keyframe were encoded in parallel.
    ///   - request: on return, it requests a keyframe only if this picture itself becomes one.
    /// - Returns: `nil` if the picture is not encoded now.
    func settled(
        _ way: Way, _ picture: PlanarPicture, _ changed: Int, _ request: inout EncodeRequest, _ timing: FrameTiming
    ) throws(HelioError) -> Way? {
        guard aside != nil else {
            guard request.keyframe, !way.isWhole else { return way }
            guard begin(picture, request, timing) else { return .whole }
            request.keyframe = false
            return changed > 0 ? way : nil
        }
        if way.isWhole {
            // Only x264 can encode the picture, and x264 is busy, so the picture waits. But if the picture has to be a
            // keyframe, drop the outdated keyframe that is encoded in parallel.
            guard request.keyframe else { return nil }
            try drop()
            return way
        }
        // The keyframe resets refinement, so refining now would be wasted.
        if request.refinement > 0 { return nil }
        if request.keyframe, changed == 0 { return nil }
        request.keyframe = false
        changedSince.formUnion(BlockSet(changedIn: picture.blocks))
        return way
    }

    package func takeKeyframe(
        of picture: PlanarPicture, frameIndex index: UInt64?, now: Instant, emit: (EncodedSlice) -> Void
    ) throws(HelioError) -> Bool? {
        guard let thread = aside, thread.isComplete else { return nil }
        aside = nil
        guard let keyframe = thread.end() else {
            hasFailed = true
            throw Self.failure
        }
        let blocks = picture.blocks
        if let index { frameIndex = index }
        for var slice in keyframe.slices {
            slice.frameIndex = frameIndex
            slice.timing = FrameTiming(damaged: now, captured: now, converted: now, encoded: slice.isLast ? now : nil)
            emit(slice)
        }
        let asked = EncodeRequest(keyframe: true)
        control.coded(
            bits: keyframe.byteCount * 8, qp: thread.qp, changed: blocks.blockCount, total: blocks.blockCount,
            request: asked)
        preparePatches(blocks, keyframe.output, isKeyframe: true)
        history.restart(at: frameIndex)
        refinement.note(blocks, isKeyframe: true)
        refinement.coded(at: thread.qp)
        frameIndex += 1
        frameNumber = 1
        isBehind = !changedSince.isEmpty
        for block in 0..<blocks.blockCount where changedSince.contains(block) { blocks.unchanged[block] = 0 }
        return blocks.changedCount > 0
    }

    /// Starts to encode a keyframe on the other thread. Returns false if keyframes are not encoded in parallel, or the
    /// thread can't be created.
    private func begin(_ picture: PlanarPicture, _ request: EncodeRequest, _ timing: FrameTiming) -> Bool {
        guard let wake else { return false }
        let total = picture.blocks.blockCount
        let qp = control.quantiser(changed: total, total: total, request: request, at: timing.captured)
        var input = x264_picture_t()
        x264_picture_init(&input)
        fill(&input, picture.blocks, request, qp)
        let thread = KeyframeThread(encoder, collector, gate, of: picture, input: input, qp: qp, wake: wake)
        let frame = NALCollector.Frame(
            index: 0, isKeyframe: true, timing: timing, lastBlock: total - 1, preface: [], frameNumber: 0)
        guard thread.start(frame) else { return false }
        pictures += 1
        aside = thread
        changedSince = BlockSet(blockCount: total)
        return true
    }

    /// Waits for the keyframe that is encoded in parallel, and drops it. The next picture must then be a keyframe.
    private func drop() throws(HelioError) {
        let keyframe = aside?.end()
        aside = nil
        (reference, needsKeyframe) = (nil, true)
        if keyframe == nil {
            hasFailed = true
            throw Self.failure
        }
    }
}
