import CFFmpeg
import HelioCore
import Testing

@testable import HelioLinuxSource

/// The options passed to FFmpeg's NVENC, and the errors without a card. Encoding on a card was not run, as none was
/// available.
@Suite struct NVENCTests {
    static let size = PixelSize(width: 1920, height: 1080)

    private static func isCompiledIn(_ kind: FFmpegEncoderKind) -> Bool {
        avcodec_find_encoder_by_name(kind.rawValue) != nil
    }

    @Test(
        "NVENC gives each picture out at once, without B-frames, at a constant rate, and keyframes on request",
        arguments: [FFmpegEncoderKind.h264NVENC, .h265NVENC].filter(isCompiledIn), ChromaSampling.allCases)
    func options(kind: FFmpegEncoderKind, chroma: ChromaSampling) throws {
        let format = VideoFormat(
            codec: kind.codec, size: Self.size, framesPerSecond: 30, bitrate: .megabits(8), chroma: chroma)
        let context = try FFmpegContext(setUp: format, kind: kind)
        // FFmpeg returns the numbers of named values: preset p1, tune ull, rc cbr.
        let wanted = [
            "preset": "12", "tune": "3", "rc": "2", "zerolatency": "true", "delay": "0", "forced-idr": "true",
            "rc-lookahead": "0", "bf": "0", "g": "\(Int32.max)", "b": "8000000", "maxrate": "8000000",
            "bufsize": "2000000", "intra-refresh": "false",
        ]
        for (name, value) in wanted { #expect(context.option(name) == value, "\(name)") }
        #expect(context.software == (chroma == .yuv420 ? AV_PIX_FMT_NV12 : AV_PIX_FMT_YUV444P))
        #expect(context.option("no such option") == nil)
    }

    @Test(
        "a forced profile of H.264 is NVENC's own option",
        arguments: zip([nil, 66, 77, 100, 244] as [UInt8?], ["1", "0", "1", "2", "1"]))
    func profile(forced: UInt8?, expected: String) throws {
        guard Self.isCompiledIn(.h264NVENC) else { return }
        let format = VideoFormat(codec: .h264, size: Self.size, profile: forced)
        #expect(try FFmpegContext(setUp: format, kind: .h264NVENC).option("profile") == expected)
    }

    @Test("the rate changes in the running encoder; x265 and VA-API need a new one")
    func rate() throws {
        guard Self.isCompiledIn(.h264NVENC) else { return }
        let nvenc = try FFmpegContext(setUp: VideoFormat(codec: .h264, size: Self.size), kind: .h264NVENC)
        #expect(nvenc.setRate(.megabits(2)))
        #expect(nvenc.option("b") == "2000000" && nvenc.option("maxrate") == "2000000")
        #expect(nvenc.option("bufsize") == "500000")
        #expect(
            !(try FFmpegContext(setUp: VideoFormat(codec: .h265, size: Self.size), kind: .x265).setRate(.megabits(2))))
    }

    @Test(
        "without a card the error names what is missing, not FFmpeg's 'Operation not permitted'",
        arguments: [FFmpegEncoderKind.h264NVENC, .h265NVENC].filter(isCompiledIn), ChromaSampling.allCases)
    func noCard(kind: FFmpegEncoderKind, chroma: ChromaSampling) {
        let format = VideoFormat(codec: kind.codec, size: PixelSize(width: 640, height: 368), chroma: chroma)
        do throws(HelioError) {
            let encoder = try EncoderFactory.make(format: format, choice: .named(kind.name))
            #expect(encoder.isHardware, "there is a card")
        } catch {
            #expect(error.code == .encoderFailed)
            #expect(error.message.hasPrefix(kind.name) && error.message.contains("NVIDIA card"), "\(error.message)")
            #expect(!error.message.contains("not permitted"))
        }
    }
}
