import HelioBitstream
import HelioCore
import Testing

struct H264SequenceParametersTests {
    struct Vector: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var nal: String
        var profile: UInt8
        var level: UInt8
        var chromaFormat: UInt8
        var size: PixelSize
        var color: ColorDescription
        var reordered: Int
        var buffered: Int
    }

    /// Made with x264 core 164 (Debian 0.164.3095+gitbaee400-3) through FFmpeg 5.1.9, as
    /// `ffmpeg -f lavfi -i testsrc2=s=SIZE:r=30 -frames:v 3 -pix_fmt FORMAT -c:v libx264 …`; the numbers were
    /// read with FFmpeg's `trace_headers`.
    static let vectors = [
        // -preset ultrafast -tune zerolatency -profile:v baseline
        // -x264-params colorprim=bt709:transfer=bt709:colormatrix=bt709:bframes=0
        Vector(
            testDescription: "4:2:0, BT.709, baseline", nal: "6742c01fda014016ec05a808080a000003000200000300791e306540",
            profile: 66, level: 31, chromaFormat: 1, size: PixelSize(width: 1280, height: 720), color: .bt709,
            reordered: 0, buffered: 1),
        // -preset medium -x264-params colorprim=smpte170m:transfer=bt709:colormatrix=smpte170m
        Vector(
            testDescription: "1088 lines cropped to 1080, BT.601",
            nal: "67640028acd940780227e5c05a83008320000003002000000781e30632c0", profile: 100, level: 40,
            chromaFormat: 1, size: PixelSize(width: 1920, height: 1080), color: .bt601, reordered: 2, buffered: 4),
        // -preset ultrafast -tune zerolatency
        // -x264-params colorprim=bt709:transfer=bt709:colormatrix=bt709:fullrange=on:bframes=0
        Vector(
            testDescription: "4:4:4, cropped in steps of one pixel, full range",
            nal: "67f4002091968056061e2fc05b808080a0000003002000000791e30654", profile: 244, level: 32,
            chromaFormat: 3, size: PixelSize(width: 1366, height: 768),
            color: ColorDescription(primaries: 1, transfer: 1, matrix: 1, isFullRange: true), reordered: 0,
            buffered: 1),
        // -preset fast -x264-params nal-hrd=cbr:vbv-maxrate=1000:vbv-bufsize=1000:bitrate=1000:sar=4/3
        // :overscan=show:chromaloc=2:cqm=jvt
        Vector(
            testDescription: "rates, aspect ratio, overscan, place of chroma",
            nal: "6764001eacd940a02ff970196e00000300020000030078c08001e848003d09c98600f162d960", profile: 100,
            level: 30, chromaFormat: 1, size: PixelSize(width: 640, height: 360), color: .unspecified,
            reordered: 2, buffered: 4),
        // -preset fast -x264-params tff=1:interlaced=1
        Vector(
            testDescription: "4:2:2, interlaced", nal: "677a001fbcd940b424d80880000003008000001e0f8b16cb",
            profile: 122, level: 31, chromaFormat: 2, size: PixelSize(width: 720, height: 576),
            color: .unspecified, reordered: 2, buffered: 4),
    ]

    private func parse(_ nal: [UInt8]) -> H264SequenceParameters? {
        H264SequenceParameters.parse(nal: nal.span.bytes)
    }

    @Test(arguments: vectors)
    func readsWhatX264Writes(_ vector: Vector) throws {
        let parameters = try #require(parse(hex(vector.nal)))
        #expect(parameters.profile == vector.profile)
        #expect(parameters.level == vector.level)
        #expect(parameters.chromaFormat == vector.chromaFormat)
        #expect(parameters.bitDepth == 8)
        #expect(parameters.size == vector.size)
        #expect(parameters.color == vector.color)
        #expect(parameters.maximumReorderedFrames == vector.reordered)
        #expect(parameters.maximumBufferedFrames == vector.buffered)
        let chroma: ChromaSampling? = [1: .yuv420, 3: .yuv444][vector.chromaFormat]
        #expect(parameters.picture?.chroma == chroma)
        #expect(parameters.picture?.size == (chroma == nil ? nil : vector.size))
    }

    /// Every truncation up to the byte of the last field is rejected.
    @Test(arguments: vectors)
    func refusesWhatIsCutOff(_ vector: Vector) {
        let nal = hex(vector.nal)
        for count in 0..<nal.count - 2 {
            #expect(parse(Array(nal[..<count])) == nil, "\(count) bytes")
        }
    }

    /// The fields of a baseline set without VUI; a test makes one of them invalid.
    struct Fields: Sendable, CustomTestStringConvertible {
        var testDescription = "well formed"
        var id: UInt32 = 0
        var frameNumberBits: UInt32 = 0
        var orderType: UInt32 = 2
        var columns: UInt32 = 79
        var rows: UInt32 = 44
        var crop: [UInt32]?

        var nal: [UInt8] {
            var writer = BitWriter()
            for byte: UInt32 in [66, 0xC0, 31] { writer.bits(byte, 8) }
            writer.unsigned(id)
            writer.unsigned(frameNumberBits)
            writer.unsigned(orderType)
            if orderType == 1 {
                writer.flag(false)
                for value: Int32 in [0, -1] { writer.signed(value) }
                writer.unsigned(255)
                for _ in 0..<255 { writer.signed(3) }
            }
            writer.unsigned(1)
            writer.flag(false)
            writer.unsigned(columns)
            writer.unsigned(rows)
            writer.bits(0b11, 2)
            writer.flag(crop != nil)
            for side in crop ?? [] { writer.unsigned(side) }
            writer.flag(false)
            var annexB: [UInt8] = []
            writer.finish(header: [0x67], into: &annexB)
            return Array(annexB.dropFirst(4))
        }
    }

    @Test(arguments: [
        (Fields(), 1280, 720), (Fields(orderType: 1), 1280, 720), (Fields(crop: [1, 2, 3, 4]), 1274, 706),
        (Fields(columns: 1023, rows: 1023), 16384, 16384), (Fields(crop: [0, 639, 359, 0]), 2, 2),
    ])
    func readsSize(fields: Fields, width: Int, height: Int) throws {
        let parameters = try #require(parse(fields.nal))
        #expect(parameters.size == PixelSize(width: width, height: height))
        #expect(parameters.color == .unspecified)
        #expect(parameters.maximumReorderedFrames == nil)
        #expect(parameters.maximumBufferedFrames == nil)
    }

    @Test(arguments: [
        Fields(testDescription: "id past 31", id: 32),
        Fields(testDescription: "frame numbers of 17 bits", frameNumberBits: 13),
        Fields(testDescription: "no such picture order", orderType: 3),
        Fields(testDescription: "too wide", columns: 1024),
        Fields(testDescription: "too high", rows: .max - 1),
        Fields(testDescription: "cropped to nothing", crop: [0, 640, 0, 0]),
        Fields(testDescription: "cropped to less than nothing", crop: [0, 0, .max - 1, .max - 1]),
    ])
    func refusesHostileFields(_ fields: Fields) {
        #expect(parse(fields.nal) == nil)
    }

    @Test func refusesOtherNALUnits() {
        #expect(parse(hex("68ce3c80")) == nil)
        #expect(parse([UInt8]()) == nil)
    }
}
