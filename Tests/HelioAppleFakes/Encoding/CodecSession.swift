#if canImport(HelioLinuxSource)
package import HelioAppleMedia
import HelioBitstream
package import HelioCore
import HelioLinuxSource
import HelioPatch

/// A compression session with a real codec; made by `CodecSessions`.
package final class CodecSession: CompressionSession {
    private let owner: CodecSessions
    private var format: VideoFormat
    private var encoder: (any VideoEncoding<PlanarPicture>)?
    private var input: PlanarPicture?
    private var lastTime: Instant?
    private var isInvalid = false
    /// True for ordinary rate control, with which a session may hold a picture back until the next one.
    private let mayHoldBack: Bool
    private var heldBack: (reply: SessionReply<CompressionResult>, result: CompressionResult)?

    init(_ specification: CompressionSpecification, of owner: CodecSessions) {
        self.owner = owner
        isHardware = specification.coder != .software
        mayHoldBack = !specification.isLowLatency
        format = VideoFormat(
            codec: specification.codec, size: specification.size, color: .unspecified)
    }

    package let isHardware: Bool

    package func set(_ property: CompressionProperty) -> SessionStatus {
        if isInvalid { return .invalidSession }
        if owner.refuses(property) { return .unsupportedProperty }
        owner.note(property)
        switch property {
        case .averageBitrate(let bits): format.bitrate = Bitrate(bitsPerSecond: bits)
        case .expectedRate(let rate): format.framesPerSecond = rate
        case .primaries(let primaries): format.color.primaries = primaries.rawValue
        case .transfer(let transfer): format.color.transfer = transfer.rawValue
        case .matrix(let matrix): format.color.matrix = matrix.rawValue
        default: break
        }
        if encoder != nil { try? encoder?.reconfigure(format) }
        return .done
    }

    package func encode(
        _ picture: FakePixels, at time: Instant, isKeyframe: Bool, reply: SessionReply<CompressionResult>
    ) -> SessionStatus {
        if isInvalid { return .invalidSession }
        if let lastTime, time <= lastTime { return .other(-12902) }
        guard picture.size == format.size else { return .other(-12902) }
        lastTime = time
        let fate = owner.nextFate(isKeyframe: isKeyframe, isHardware: isHardware)
        switch fate {
        case .dropped: reply.give(.dropped)
        case .invalid:
            isInvalid = true
            return .invalidSession
        case .failed: reply.give(.failed(.other(-12912)))
        case .silent: break
        case .coded, .truncated, .withoutParameterSets:
            guard let unit = code(picture, isKeyframe: isKeyframe) else { return .other(-1) }
            giveHeldBack()
            if mayHoldBack, owner.holdsBack {
                heldBack = (reply, .coded(sample(unit, fate)))
            } else {
                reply.give(.coded(sample(unit, fate)))
            }
        }
        return .done
    }

    package func complete(until _: Instant) -> SessionStatus {
        if isInvalid { return .invalidSession }
        owner.noteCompleted()
        giveHeldBack()
        return .done
    }

    private func giveHeldBack() {
        if let heldBack { heldBack.reply.give(heldBack.result) }
        heldBack = nil
    }

    package func invalidate() {
        isInvalid = true
        owner.noteInvalidated()
    }

    private func code(_ picture: FakePixels, isKeyframe: Bool) -> [UInt8]? {
        if encoder == nil { start(picture) }
        guard let input else { return nil }
        input.take(picture)
        input.markAllChanged()
        var unit: [UInt8] = []
        try? encoder?.encode(
            input, damage: Region(), request: EncodeRequest(keyframe: isKeyframe),
            timing: FrameTiming(damaged: .zero, captured: .zero)
        ) { unit += $0.annexB }
        return unit.isEmpty ? nil : unit
    }

    /// Starts the codec. No property conveys the sample range, so that of the first picture is used.
    private func start(_ picture: FakePixels) {
        if let color = owner.color { format.color = color }
        format.color.isFullRange = picture.samples?.isFullRange ?? format.color.isFullRange
        input = try? PlanarPicture(size: format.size, chroma: .yuv420, color: format.color)
        encoder =
            format.codec == .h264
            ? try? X264Encoder(format, threads: 1, usesPatches: false)
            : try? LinuxSource().makeEncoder(format, choice: .named("x265"))
    }

    private func sample(_ unit: [UInt8], _ fate: CodecSessions.Fate) -> CodedSample {
        let lengthSize = owner.lengthSize
        var sample = CodedSample(lengthSize: lengthSize)
        var bytes: [UInt8] = []
        for range in AnnexB.nalUnits(in: unit.span.bytes) {
            let nal = Array(unit[range])
            if NALHeader.isParameterSet(nal[0], codec: format.codec) {
                if fate != .withoutParameterSets { sample.addParameterSet(nal.span.bytes) }
                continue
            }
            for byte in (0..<lengthSize).reversed() {
                bytes.append(UInt8(truncatingIfNeeded: nal.count >> (byte * 8)))
            }
            bytes += nal
        }
        if fate == .truncated { bytes.removeLast(5) }
        let blockSize = owner.blockSize
        for start in stride(from: 0, to: bytes.count, by: blockSize) {
            let block = Array(bytes[start..<min(bytes.count, start + blockSize)])
            sample.add(block.span.bytes)
        }
        return sample
    }
}

extension PlanarPicture {
    /// Copies a picture, with its edges repeated into the padding; converts BGRA.
    fileprivate func take(_ picture: FakePixels) {
        guard picture.samples != nil else {
            return convert(picture.first, stride: picture.firstStride, to: PixelRect(size))
        }
        let width = size.width
        for y in 0..<blocks.mbHeight * 16 {
            let row = blocks.luma + y * blocks.lumaStride
            row.update(from: picture.first + min(y, size.height - 1) * picture.firstStride, count: width)
            for x in width..<blocks.mbWidth * 16 { row[x] = row[width - 1] }
        }
        for y in 0..<blocks.mbHeight * 8 {
            let row = blocks.chroma0 + y * blocks.chromaStride
            row.update(from: picture.chroma + min(y, size.height / 2 - 1) * picture.chromaStride, count: width)
            for x in width..<blocks.mbWidth * 16 { row[x] = row[x - 2] }
        }
    }
}
#endif
