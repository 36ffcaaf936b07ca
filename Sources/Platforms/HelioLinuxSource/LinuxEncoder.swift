package import HelioCore

/// The encoder that the factory chose. Both implementations share this type, as a `SourcePlatform` has only one encoder
/// type.
package final class LinuxEncoder: VideoEncoding {
    package typealias Picture = PlanarPicture

    private enum Kind {
        case x264(X264Encoder)
        case ffmpeg(FFmpegEncoder)
    }

    private let kind: Kind

    init(_ encoder: X264Encoder) { kind = .x264(encoder) }
    init(_ encoder: FFmpegEncoder) { kind = .ffmpeg(encoder) }

    package var format: VideoFormat {
        switch kind {
        case .x264(let encoder): encoder.format
        case .ffmpeg(let encoder): encoder.format
        }
    }

    package var summary: String {
        switch kind {
        case .x264(let encoder): encoder.summary
        case .ffmpeg(let encoder): encoder.summary
        }
    }

    package var isHardware: Bool {
        switch kind {
        case .x264(let encoder): encoder.isHardware
        case .ffmpeg(let encoder): encoder.isHardware
        }
    }

    package var changesRatesInPlace: Bool {
        switch kind {
        case .x264(let encoder): encoder.changesRatesInPlace
        case .ffmpeg(let encoder): encoder.changesRatesInPlace
        }
    }

    /// The maximum number of times that a resting picture is encoded again for refinement, which ends earlier once
    /// `isSharp` is true; 0 for no refinement.
    package var refinementSteps: Int {
        switch kind {
        case .x264(let encoder): encoder.refinementSteps
        case .ffmpeg(let encoder): encoder.refinementSteps
        }
    }

    /// True if refinement would not improve the picture.
    package var isSharp: Bool {
        switch kind {
        case .x264(let encoder): encoder.isSharp
        case .ffmpeg(let encoder): encoder.isSharp
        }
    }

    package var repairs: Bool {
        switch kind {
        case .x264(let encoder): encoder.repairs
        case .ffmpeg(let encoder): encoder.repairs
        }
    }

    package func debt(now: Instant) -> Duration {
        switch kind {
        case .x264(let encoder): encoder.debt(now: now)
        case .ffmpeg(let encoder): encoder.debt(now: now)
        }
    }

    package var quality: CodedQuality? {
        switch kind {
        case .x264(let encoder): encoder.quality
        case .ffmpeg(let encoder): encoder.quality
        }
    }

    package func encode(
        _ picture: PlanarPicture, damage: Region, request: EncodeRequest, timing: FrameTiming,
        emit: (EncodedSlice) -> Void
    ) throws(HelioError) {
        switch kind {
        case .x264(let encoder):
            try encoder.encode(picture, damage: damage, request: request, timing: timing, emit: emit)
        case .ffmpeg(let encoder):
            try encoder.encode(picture, damage: damage, request: request, timing: timing, emit: emit)
        }
    }

    package func codeKeyframesAside(wake: @escaping @Sendable () -> Void) {
        switch kind {
        case .x264(let encoder): encoder.codeKeyframesAside(wake: wake)
        case .ffmpeg(let encoder): encoder.codeKeyframesAside(wake: wake)
        }
    }

    package var keyframeAside: KeyframeAside {
        switch kind {
        case .x264(let encoder): encoder.keyframeAside
        case .ffmpeg(let encoder): encoder.keyframeAside
        }
    }

    package func takeKeyframe(
        of picture: PlanarPicture, frameIndex: UInt64?, now: Instant, emit: (EncodedSlice) -> Void
    ) throws(HelioError) -> Bool? {
        switch kind {
        case .x264(let encoder):
            try encoder.takeKeyframe(of: picture, frameIndex: frameIndex, now: now, emit: emit)
        case .ffmpeg(let encoder):
            try encoder.takeKeyframe(of: picture, frameIndex: frameIndex, now: now, emit: emit)
        }
    }

    package func reconfigure(_ format: VideoFormat) throws(HelioError) {
        switch kind {
        case .x264(let encoder): try encoder.reconfigure(format)
        case .ffmpeg(let encoder): try encoder.reconfigure(format)
        }
    }
}
