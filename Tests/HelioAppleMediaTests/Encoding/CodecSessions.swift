#if canImport(HelioLinuxSource)
import HelioAppleMedia
import HelioBitstream
import HelioCore
import HelioLinuxSource

/// Compression sessions with real codecs, x264 and x265, that give samples as VideoToolbox does: NAL units behind lengths,
/// parameter sets apart, and the bytes in blocks that end anywhere. They misbehave as they are told to.
final class CodecSessions: CompressionSessions {
    /// What the next picture comes to.
    enum Fate {
        case coded
        case dropped
        case invalid
        case failed
        case silent
        case truncated
        case withoutParameterSets
    }

    /// What happens to pictures, in turn; then all are coded.
    var fates: [Fate] = []
    /// The properties that are refused.
    var refuses: (CompressionProperty) -> Bool = { _ in false }
    /// False: there is no session with low-latency rate control.
    var hasLowLatency = true
    /// False: there is none at all.
    var hasAny = true
    /// What the stream says of its colours instead of what it was told.
    var color: ColorDescription?
    var lengthSize = 4
    /// The bytes of a block.
    var blockSize = 1000

    var made: [CompressionSpecification] = []
    var invalidated = 0
    var properties: [CompressionProperty] = []
    var keyframesAsked: [Bool] = []

    func makeSession(_ specification: CompressionSpecification) -> Result<CodecSession, SessionFailure> {
        guard hasAny, hasLowLatency || !specification.isLowLatency else {
            return .failure(SessionFailure(.noCoder))
        }
        made.append(specification)
        return .success(CodecSession(specification, of: self))
    }

    func size(of picture: PlanarPicture) -> PixelSize { picture.size }
}

/// A session of `CodecSessions`.
final class CodecSession: CompressionSession {
    private let owner: CodecSessions
    private var format: VideoFormat
    private var encoder: (any VideoEncoding<PlanarPicture>)?
    private var lastTime: Instant?
    private var isInvalid = false

    init(_ specification: CompressionSpecification, of owner: CodecSessions) {
        self.owner = owner
        format = VideoFormat(
            codec: specification.codec, size: specification.size, color: .unspecified)
    }

    var isHardware: Bool { true }

    func set(_ property: CompressionProperty) -> SessionStatus {
        if isInvalid { return .invalidSession }
        if owner.refuses(property) { return .unsupportedProperty }
        owner.properties.append(property)
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

    func encode(
        _ picture: PlanarPicture, at time: Instant, isKeyframe: Bool, reply: SessionReply<CompressionResult>
    ) -> SessionStatus {
        if isInvalid { return .invalidSession }
        if let lastTime, time <= lastTime { return .other(-12902) }
        lastTime = time
        owner.keyframesAsked.append(isKeyframe)
        let fate = owner.fates.isEmpty ? .coded : owner.fates.removeFirst()
        switch fate {
        case .dropped: reply.give(.dropped)
        case .invalid:
            isInvalid = true
            return .invalidSession
        case .failed: reply.give(.failed(.other(-12912)))
        case .silent: break
        case .coded, .truncated, .withoutParameterSets:
            guard let unit = code(picture, isKeyframe: isKeyframe) else { return .other(-1) }
            reply.give(.coded(sample(unit, fate)))
        }
        return .done
    }

    func invalidate() {
        isInvalid = true
        owner.invalidated += 1
    }

    private func code(_ picture: PlanarPicture, isKeyframe: Bool) -> [UInt8]? {
        if encoder == nil {
            if let color = owner.color { format.color = color }
            encoder =
                format.codec == .h264
                ? try? X264Encoder(format, threads: 1, usesPatches: false)
                : try? LinuxSource().makeEncoder(format, choice: .named("x265"))
        }
        picture.markAllChanged()
        var unit: [UInt8] = []
        try? encoder?.encode(
            picture, damage: Region(), request: EncodeRequest(keyframe: isKeyframe),
            timing: FrameTiming(damaged: .zero, captured: .zero)
        ) { unit += $0.annexB }
        return unit.isEmpty ? nil : unit
    }

    private func sample(_ unit: [UInt8], _ fate: CodecSessions.Fate) -> CodedSample {
        var sample = CodedSample(lengthSize: owner.lengthSize)
        var bytes: [UInt8] = []
        for range in AnnexB.nalUnits(in: unit.span.bytes) {
            let nal = Array(unit[range])
            if NALHeader.isParameterSet(nal[0], codec: format.codec) {
                if fate != .withoutParameterSets { sample.addParameterSet(nal.span.bytes) }
                continue
            }
            for byte in (0..<owner.lengthSize).reversed() {
                bytes.append(UInt8(truncatingIfNeeded: nal.count >> (byte * 8)))
            }
            bytes += nal
        }
        if fate == .truncated { bytes.removeLast(5) }
        for start in stride(from: 0, to: bytes.count, by: owner.blockSize) {
            let block = Array(bytes[start..<min(bytes.count, start + owner.blockSize)])
            sample.add(block.span.bytes)
        }
        return sample
    }
}
#endif
