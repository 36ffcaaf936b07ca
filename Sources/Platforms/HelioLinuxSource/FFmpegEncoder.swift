import CFFmpeg
import HelioBitstream
package import HelioCore
import HelioGround
import HelioPatch

/// An FFmpeg encoder: libx265 for H.265, or a hardware encoder for H.264 or H.265.
///
/// The encoder encodes the whole picture each time, and emits the access unit as one slice. Losses are repaired by
/// keyframes only: FFmpeg has no call for NVENC's invalidation of references, and starts intra refresh periodically,
/// not on request.
package final class FFmpegEncoder: VideoEncoding {
    package typealias Picture = PlanarPicture

    package private(set) var format: VideoFormat
    private let kind: FFmpegEncoderKind
    private var context: FFmpegContext
    private var frameIndex: UInt64 = 0
    private var needsKeyframe = true
    private var hasFailed = false

    init(_ format: VideoFormat, kind: FFmpegEncoderKind) throws(HelioError) {
        av_log_set_level(AV_LOG_QUIET)
        context = try FFmpegContext(format, kind: kind)
        self.format = format
        self.kind = kind
    }

    package var isHardware: Bool { kind.isHardware }
    /// False: FFmpeg sets the rate of x265 and VA-API only when it opens the encoder. It does change NVENC's rate while
    /// the encoder runs, but asks NVENC for an IDR picture with each change.
    package var changesRatesInPlace: Bool { false }

    /// 0: x265 and the hardware encoders can't set the quality of a single picture.
    package var refinementSteps: Int { 0 }
    package var isSharp: Bool { true }
    /// The quality of the last picture that is not a keyframe; `nil` with VA-API, which does not report it.
    package private(set) var quality: CodedQuality?

    package var summary: String {
        "\(kind.name)\(kind == .x265 ? ", ultrafast" : ""), 4:\(format.chroma == .yuv420 ? "2:0" : "4:4")"
    }

    package func encode(
        _ picture: PlanarPicture, damage _: Region, request: EncodeRequest, timing: FrameTiming,
        emit: (EncodedSlice) -> Void
    ) throws(HelioError) {
        guard !hasFailed else { throw context.failure("is stopped") }
        guard picture.size == format.size, picture.chroma == format.chroma else {
            throw HelioError(
                .invalidArgument, "A picture of \(picture.size) went to an encoder that is set up for \(format.size).")
        }
        let isWanted = request.keyframe || needsKeyframe
        var unit: [UInt8]
        let isKeyframe: Bool
        do {
            (unit, isKeyframe) = try context.encode(picture, number: Int64(frameIndex), isKeyframe: isWanted)
        } catch {
            hasFailed = true
            throw error
        }
        needsKeyframe = isWanted && !isKeyframe
        if !isKeyframe {
            quality = context.quantiser.map { CodedQuality(quantiser: $0) }
            var message: [UInt8] = []
            let refinement = UInt8(clamping: request.refinement)
            let region = refinement > 0 ? Region(PixelRect(format.size)) : picture.blocks.changedRegion
            DamageMessage(region: region, refinement: refinement).write(into: &message, codec: format.codec)
            unit = message + unit
        }
        var timing = timing
        timing.encoded = MonotonicClock.now
        emit(
            EncodedSlice(
                frameIndex: frameIndex, annexB: unit, isFirst: true, isLast: true, isKeyframe: isKeyframe,
                timing: timing))
        frameIndex += 1
        picture.markCoded()
    }

    package func reconfigure(_ new: VideoFormat) throws(HelioError) {
        if new == format, !hasFailed { return }
        var same = new
        same.bitrate = format.bitrate
        if same == format, !hasFailed, context.setRate(new.bitrate) {
            format = new
            needsKeyframe = true
            return
        }
        context = try FFmpegContext(new, kind: kind)
        format = new
        needsKeyframe = true
        hasFailed = false
    }
}
