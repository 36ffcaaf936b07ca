internal import CFFmpeg
internal import HelioBitstream
internal import HelioCore
internal import HelioPatch

/// Decodes pictures with few changes, or with scrolling, without FFmpeg: `PatchDecoder` writes the changes into
/// FFmpeg's last picture.
///
/// FFmpeg uses that picture as the reference of the next picture that it decodes, and never gets the pictures in
/// between: `frame_num` is rewritten in FFmpeg's slices so that it counts only the pictures that FFmpeg decodes.
final class InPlaceDecoder {
    /// The longest wait until the window has drawn the last picture: shorter than FFmpeg's decoding, which would copy
    /// that picture.
    private static let patience = Duration.milliseconds(8)

    private var syntax: PatchSyntax?
    private var patches: PatchDecoder?
    /// FFmpeg's last picture, with the frame index that it shows now; `nil` if there is none that may be decoded into.
    private var last: (memory: PictureMemory, layout: SampleLayout, frameIndex: UInt64)?
    /// The `frame_num` of the last access unit, in the stream's own numbering.
    private var number: Int?
    /// False if the last wait timed out: the window is stuck, or delays pictures to match the sound. The next call then
    /// does not wait.
    private var isPatient = true
    /// The number of pictures since the last keyframe that were decoded without FFmpeg.
    private var hidden = 0

    /// Resets all state; called together with a reset of FFmpeg's decoder.
    func reset() {
        syntax = nil
        patches = nil
        last = nil
        number = nil
        hidden = 0
    }

    /// Decodes an access unit into the last picture; `nil`, with nothing written, if FFmpeg must decode it.
    func decode(_ annexB: [UInt8], frameIndex: UInt64, mediaTime: Int64) -> DecodedPicture? {
        guard let last, let syntax, let numbers, let number, let range = Self.onlySlice(of: annexB) else {
            return nil
        }
        let patches = patches(syntax, last.layout.description.chroma)
        let slice = annexB.span.bytes.extracting(range)
        let following = numbers.following(number)
        guard patches.read(slice, frameNumber: following), let planes = planes(of: last) else { return nil }
        isPatient = last.memory.change(patience: isPatient ? Self.patience : .zero) { patches.write(to: planes) }
        guard isPatient else { return nil }
        hidden += 1
        self.number = following
        let bounds = PixelRect(last.layout.description.size)
        let decoded = patches.changes
        var damage = Region()
        for rect in decoded.coded.rects { damage.add(rect.intersection(bounds)) }
        var change: DecodedPicture.Change?
        if let scroll = decoded.scroll {
            let rects = scroll.rects.map { $0.intersection(bounds) }
            change = .init(
                base: last.frameIndex, scroll: .init(rects: rects, motion: scroll.motion), coded: damage)
            for rect in rects { damage.add(rect) }
        }
        self.last?.frameIndex = frameIndex
        return DecodedPicture(
            in: last.memory, layout: last.layout, damage: damage, change: change, frameIndex: frameIndex,
            mediaTime: mediaTime)
    }

    private var numbers: SliceNumber? { syntax.map { SliceNumber(bits: $0.frameNumberBits) } }

    private func patches(_ syntax: PatchSyntax, _ chroma: ChromaSampling) -> PatchDecoder {
        if let patches, patches.chroma == chroma { return patches }
        let made = PatchDecoder(syntax, chroma: chroma)
        patches = made
        return made
    }

    /// Returns an access unit, or a part of one, with `frame_num` rewritten for FFmpeg; `nil` if it can't be parsed.
    func forFFmpeg(_ annexB: [UInt8]) -> [UInt8]? {
        let bytes = annexB.span.bytes
        var cursor = AnnexB.Cursor()
        var hasSlice = false
        while !hasSlice, let range = cursor.next(in: bytes) {
            guard let header = bytes.uint8(at: range.lowerBound) else { continue }
            switch H264NALType(header: header) {
            case .sps:
                syntax = PatchSyntax(annexB: annexB)
                patches = nil
            case .idr:
                hidden = 0
                hasSlice = true
            case let type: hasSlice = type.isVCL
            }
            if hasSlice { number = numbers?.read(bytes.extracting(range)) }
        }
        if hidden == 0 { return annexB }
        guard let numbers else { return nil }
        var renumbered: [UInt8] = []
        return numbers.append(bytes, less: hidden, to: &renumbered) ? renumbered : nil
    }

    /// Makes a slice of skipped macroblocks for FFmpeg that replaces the missing slices of the last access unit, so
    /// that their area stays unchanged. Returns `nil` if that is not possible.
    ///
    /// - Parameter lines: the number of lines of the unit that FFmpeg has decoded.
    func substitute(after lines: Int) -> [UInt8]? {
        guard let syntax, let numbers, let number, lines >= 16, lines < syntax.mbHeight * 16 else { return nil }
        return SkippedSlice.annexB(
            syntax, from: lines / 16 * syntax.mbWidth, frameNumber: numbers.number(number, less: hidden))
    }

    /// Stores FFmpeg's newest picture as the one to decode into.
    func note(_ memory: PictureMemory, layout: SampleLayout, frameIndex: UInt64) {
        let size = layout.description.size
        let isWhole =
            syntax.map { $0.mbWidth == (size.width + 15) / 16 && $0.mbHeight == (size.height + 15) / 16 } ?? false
        last = isWhole && layout.planes != .nv12 ? (memory, layout, frameIndex) : nil
    }

    /// Forgets the last picture, as FFmpeg has no complete picture to use as a reference.
    func forgetPicture() { last = nil }

    private func planes(of last: (memory: PictureMemory, layout: SampleLayout, frameIndex: UInt64)) -> PatchPlanes? {
        let frame = last.memory.frame.pointee
        let size = last.layout.description.size
        let side = last.layout.planes == .i444 ? 16 : 8
        let (columns, rows) = ((size.width + 15) / 16, (size.height + 15) / 16)
        guard let luma = frame.data.0, let cb = frame.data.1, let cr = frame.data.2,
            frame.linesize.1 == frame.linesize.2,
            Self.holds(frame.buf.0, luma, Int(frame.linesize.0), columns * 16, rows * 16),
            Self.holds(frame.buf.1 ?? frame.buf.0, cb, Int(frame.linesize.1), columns * side, rows * side),
            Self.holds(frame.buf.2 ?? frame.buf.0, cr, Int(frame.linesize.2), columns * side, rows * side)
        else { return nil }
        return PatchPlanes(
            luma: luma, cb: cb, cr: cr, lumaStride: Int(frame.linesize.0), chromaStride: Int(frame.linesize.1))
    }

    /// Returns true if a buffer contains a plane of `width` by `height` samples from `start` on.
    private static func holds(
        _ buffer: UnsafeMutablePointer<AVBufferRef>?, _ start: UnsafeMutablePointer<UInt8>, _ stride: Int, _ width: Int,
        _ height: Int
    ) -> Bool {
        guard let buffer, let first = buffer.pointee.data, stride >= width else { return false }
        let offset = start - first
        return offset >= 0 && offset + (height - 1) * stride + width <= Int(buffer.pointee.size)
    }

    /// Returns the range of an access unit's only slice; `nil` if there are several slices, a keyframe or a parameter
    /// set.
    private static func onlySlice(of annexB: [UInt8]) -> Range<Int>? {
        let bytes = annexB.span.bytes
        var cursor = AnnexB.Cursor()
        var found: Range<Int>?
        while let range = cursor.next(in: bytes) {
            guard let header = bytes.uint8(at: range.lowerBound) else { continue }
            let type = H264NALType(header: header)
            if type.isParameterSet || type.isKeyframe { return nil }
            guard type.isVCL else { continue }
            if found != nil { return nil }
            found = range
        }
        return found
    }
}
