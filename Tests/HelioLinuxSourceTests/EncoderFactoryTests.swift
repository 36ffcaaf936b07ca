import HelioBitstream
import HelioCore
import Testing

@testable import HelioLinuxSource

@Suite struct EncoderFactoryTests {
    static let size = PixelSize(width: 320, height: 180)

    @Test func catalogSaysWhy() {
        let list = EncoderCatalog.list()
        #expect(list.first?.name == "x264" && list.first?.isUsable == true)
        #expect(list.contains { $0.name == "x265" && $0.codec == .h265 && $0.isUsable })
        #expect(Set(list.map(\.name)).isSuperset(of: ["h264_vaapi", "hevc_vaapi", "h264_nvenc", "hevc_nvenc"]))
        for entry in list { #expect(!entry.reason.isEmpty) }
        // The reason for missing hardware is a message of Heliograph's, not FFmpeg's.
        for entry in list where entry.isHardware && !entry.isUsable {
            #expect(entry.reason.contains("driver") && !entry.reason.contains("Operation not permitted"))
        }
    }

    @Test func makesWhatIsAskedFor() throws {
        let h264 = VideoFormat(codec: .h264, size: Self.size)
        #expect(try EncoderFactory.make(format: h264).summary.hasPrefix("x264"))
        let h265 = VideoFormat(codec: .h265, size: Self.size)
        #expect(try EncoderFactory.make(format: h265, choice: .named("x265")).summary.hasPrefix("x265"))
        #expect(throws: HelioError.self) { try EncoderFactory.make(format: h264, choice: .named("x265")) }
        #expect(throws: HelioError.self) { try EncoderFactory.make(format: h265, choice: .named("x264")) }
        let error = #expect(throws: HelioError.self) { try EncoderFactory.make(format: h264, choice: .named("magic")) }
        #expect(error?.message.contains("x264") == true)
        #expect(try EncoderFactory.make(format: h264, choice: .software).summary.hasPrefix("x264"))
        let software = try EncoderFactory.make(format: h265, choice: .software)
        #expect(software.summary.hasPrefix("x265") && !software.isHardware && !software.changesRatesInPlace)
        #expect(try EncoderFactory.make(format: h264).changesRatesInPlace)
        #expect(try EncoderFactory.make(format: h265).isHardware == EncoderCatalog.codesByHardware(.h265))
        #expect(!EncoderCatalog.codesByHardware(.h264), "x264 is quicker")
        #expect(try EncoderCatalog.codec(ofEncoder: "hevc_nvenc") == .h265)
    }

    @Test(arguments: ChromaSampling.allCases) func h265Survives(_ chroma: ChromaSampling) throws {
        var format = VideoFormat(codec: .h265, size: Self.size, bitrate: .megabits(20), chroma: chroma)
        let encoder = try EncoderFactory.make(format: format, choice: .named("x265"))
        let picture = try PlanarPicture(size: Self.size, chroma: chroma, color: .bt709)
        var screen = TestPicture(Self.size.width, Self.size.height)
        screen.drawText(in: PixelRect(Self.size), isColored: true)
        var stream: [UInt8] = []
        var keyframes: [Bool] = []
        for i in 0..<5 {
            screen.convert(into: picture)
            let rect = PixelRect(x: 0, y: 0, width: 64, height: 32)
            try encoder.encode(
                picture, damage: Region(rect), request: EncodeRequest(keyframe: i == 3),
                timing: FrameTiming(damaged: .zero, captured: .zero)
            ) { slice in
                stream += slice.annexB
                keyframes.append(slice.isKeyframe)
                #expect(slice.isFirst && slice.isLast && slice.frameIndex == UInt64(i))
                let bytes = slice.annexB
                let message = DamageMessage.find(inAnnexB: bytes.span.bytes, codec: .h265)
                #expect(message?.region == (slice.isKeyframe ? nil : Region(rect)))
            }
            screen.drawNoise(in: rect)
        }
        #expect(keyframes == [true, false, false, true, false])
        let decoded = try CommandLineTool.decode(
            stream, codec: "hevc", pixelFormat: chroma == .yuv420 ? "yuv420p" : "yuv444p")
        let source = picture.planar
        #expect(decoded.count == source.count * 5)
        #expect(psnr(decoded.suffix(source.count), source) > 30)

        format.bitrate = .megabits(1)
        try encoder.reconfigure(format)
        var isKeyframe = false
        try encoder.encode(
            picture, damage: Region(), request: EncodeRequest(), timing: FrameTiming(damaged: .zero, captured: .zero)
        ) { isKeyframe = $0.isKeyframe }
        #expect(isKeyframe)
    }

    /// Noise that changes in each picture; without a ceiling it would take a hundred times that bitrate.
    @Test(arguments: [0, 1, 999, 3999, 16_000]) func h265KeepsItsCeiling(_ bitsPerSecond: Int) throws {
        let format = VideoFormat(codec: .h265, size: Self.size, bitrate: Bitrate(bitsPerSecond: bitsPerSecond))
        let capped = try Self.bytesOfNoise(EncoderFactory.make(format: format, choice: .named("x265")))
        var free = format
        free.bitrate = .megabits(50)
        let uncapped = try Self.bytesOfNoise(EncoderFactory.make(format: free, choice: .named("x265")))
        #expect(capped * 4 < uncapped, "\(capped) of \(uncapped) bytes")
        let changed = try EncoderFactory.make(format: free, choice: .named("x265"))
        try changed.reconfigure(format)
        #expect(try Self.bytesOfNoise(changed) * 4 < uncapped)
    }

    @Test(
        "an encoder tells how coarse its live pictures come out, which is what the ladder goes by (row 6)",
        arguments: [("x264", VideoCodec.h264), ("x265", .h265)])
    func quality(name: String, codec: VideoCodec) throws {
        func quantiser(_ bitrate: Bitrate) throws -> Int {
            let format = VideoFormat(codec: codec, size: Self.size, bitrate: bitrate)
            let encoder = try EncoderFactory.make(format: format, choice: .named(name))
            #expect(encoder.quality == nil)
            _ = try Self.bytesOfNoise(encoder)
            return try #require(encoder.quality).quantiser
        }
        let (fine, coarse) = (try quantiser(.megabits(100)), try quantiser(.kilobits(100)))
        #expect((10...35).contains(fine) && (45...51).contains(coarse), "\(fine) and \(coarse)")
    }

    private static func bytesOfNoise(_ encoder: LinuxEncoder) throws -> Int {
        let picture = try PlanarPicture(size: size, chroma: .yuv420, color: .bt709)
        var screen = TestPicture(size.width, size.height)
        var bytes = 0
        for _ in 0..<20 {
            screen.drawNoise(in: PixelRect(size))
            screen.convert(into: picture)
            try encoder.encode(
                picture, damage: Region(PixelRect(size)), request: EncodeRequest(),
                timing: FrameTiming(damaged: .zero, captured: .zero)
            ) { bytes += $0.annexB.count }
        }
        return bytes
    }
}
