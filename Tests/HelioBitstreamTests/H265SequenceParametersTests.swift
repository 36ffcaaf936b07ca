import HelioBitstream
import HelioCore
import Testing

struct H265SequenceParametersTests {
    struct Vector: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var nal: String
        var profile: UInt8
        var level: UInt8
        var chroma: ChromaSampling
        var size: PixelSize
        var color: ColorDescription
        var reordered: Int
        var buffered: Int
    }

    /// Made with x265 3.5 (Debian 3.5-2+b1) through FFmpeg 5.1.9, as
    /// `ffmpeg -f lavfi -i testsrc2=s=SIZE:r=30 -frames:v 3 -pix_fmt FORMAT -c:v libx265 …`; the numbers were
    /// read with FFmpeg's `trace_headers`.
    static let vectors = [
        // -preset ultrafast -tune zerolatency -x265-params colorprim=bt709:transfer=bt709:colormatrix=bt709
        Vector(
            testDescription: "4:2:0, 1080 lines, BT.709",
            nal: "420101016000000300900000030000030078a003c0801107cb96e92930bc05a808080820000003002000000303c1",
            profile: 1, level: 120, chroma: .yuv420, size: PixelSize(width: 1920, height: 1080), color: .bt709,
            reordered: 0, buffered: 2),
        // -preset medium -x265-params colorprim=smpte170m:transfer=bt709:colormatrix=smpte170m
        // :scaling-list=default:bframes=4:hrd=1:vbv-maxrate=1000:vbv-bufsize=1000
        Vector(
            testDescription: "BT.601, scaling lists, rates",
            nal: "42010101600000030090000003000003005da00280802d165959a49395e02d418041810000030001000003001e6014966e"
                + "000f424001e84880",
            profile: 1, level: 93, chroma: .yuv420, size: PixelSize(width: 1280, height: 720), color: .bt601,
            reordered: 2, buffered: 4),
        // -preset ultrafast -tune zerolatency
        // -x265-params colorprim=bt709:transfer=bt709:colormatrix=bt709:range=full
        Vector(
            testDescription: "4:4:4, full range, conformance window",
            nal: "4201010408000003009e080000030000789000561006038bf2dd25261780b7010101040000030004000003007820",
            profile: 4, level: 120, chroma: .yuv444, size: PixelSize(width: 1366, height: 768),
            color: ColorDescription(primaries: 1, transfer: 1, matrix: 1, isFullRange: true), reordered: 0,
            buffered: 2),
        // -preset fast -x265-params temporal-layers=1:bframes=2
        Vector(
            testDescription: "two temporal layers",
            nal: "42010201600000030090000003000003005a0000a006b201e1d7965642b249265780b4040000030004000003007820",
            profile: 1, level: 90, chroma: .yuv420, size: PixelSize(width: 854, height: 480), color: .unspecified,
            reordered: 2, buffered: 4),
    ]

    private func parse(_ nal: [UInt8]) -> H265SequenceParameters? {
        H265SequenceParameters.parse(nal: nal.span.bytes)
    }

    @Test(arguments: vectors)
    func readsWhatX265Writes(_ vector: Vector) throws {
        let parameters = try #require(parse(hex(vector.nal)))
        #expect(parameters.profile == vector.profile)
        #expect(parameters.level == vector.level)
        #expect(parameters.bitDepth == 8)
        #expect(
            parameters.picture
                == PictureDescription(size: vector.size, chroma: vector.chroma, color: vector.color))
        #expect(parameters.maximumReorderedFrames == vector.reordered)
        #expect(parameters.maximumBufferedFrames == vector.buffered)
    }

    /// Truncated anywhere before the end of the colour description in the VUI; the rest is not read.
    @Test(arguments: vectors)
    func refusesWhatIsCutOff(_ vector: Vector) {
        let nal = hex(vector.nal)
        for count in 0..<30 {
            #expect(parse(Array(nal[..<count])) == nil, "\(count) bytes")
        }
    }

    /// A Main profile set with selectable optional parts, and BT.709 in its VUI: a part that is parsed wrongly changes
    /// the colour.
    struct Fields: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var width: UInt32 = 1280
        var window: [UInt32]?
        var scalingLists = false
        var pulseCode = false
        var longTerm: UInt32?
        /// Short-term reference picture sets: the distances before and after, or the prediction flags.
        var references: [[Int32]] = []
        var predicted: (delta: Int32, used: [(used: Bool, kept: Bool)])?
        var layers: UInt32 = 0

        var nal: [UInt8] {
            var writer = BitWriter()
            writer.bits(0, 4)
            writer.bits(layers, 3)
            writer.flag(true)
            writer.bits(1, 8)
            for _ in 0..<10 { writer.bits(0, 8) }
            writer.bits(93, 8)
            writeLayers(&writer)
            for value: UInt32 in [0, 1, width, 720] { writer.unsigned(value) }
            writer.flag(window != nil)
            for side in window ?? [] { writer.unsigned(side) }
            for value: UInt32 in [0, 0, 4] { writer.unsigned(value) }
            writer.flag(false)
            for value: UInt32 in [5, 3, 0] { writer.unsigned(value) }
            for value: UInt32 in [0, 3, 0, 3, 0, 0] { writer.unsigned(value) }
            writer.flag(scalingLists)
            if scalingLists { writeScalingLists(&writer) }
            writer.bits(0, 2)
            writer.flag(pulseCode)
            if pulseCode {
                writer.bits(0x77, 8)
                for _ in 0..<2 { writer.unsigned(0) }
                writer.flag(true)
            }
            writeReferences(&writer)
            writer.flag(longTerm != nil)
            if let longTerm {
                writer.unsigned(longTerm)
                for _ in 0..<longTerm { writer.bits(0x1FF, 9) }
            }
            writer.bits(0, 2)
            writer.bits(0b1001, 4)
            writer.bits(0b101_0_1, 5)
            for _ in 0..<3 { writer.bits(1, 8) }
            writer.flag(false)
            var annexB: [UInt8] = []
            writer.finish(header: [0x42, 0x01], into: &annexB)
            return Array(annexB.dropFirst(4))
        }

        private func writeLayers(_ writer: inout BitWriter) {
            guard layers > 0 else { return }
            for _ in 0..<layers { writer.bits(0b11, 2) }
            writer.bits(0, Int(2 * (8 - layers)))
            for _ in 0..<layers { for _ in 0..<12 { writer.bits(0x55, 8) } }
        }

        /// Writes scaling lists, alternately predicted from another list and coded explicitly.
        private func writeScalingLists(_ writer: inout BitWriter) {
            writer.flag(true)
            for size in 0..<4 {
                for list in 0..<(size == 3 ? 2 : 6) {
                    writer.flag(list % 2 == 1)
                    if list % 2 == 0 {
                        writer.unsigned(0)
                    } else {
                        for _ in 0..<(size == 0 ? 16 : size == 1 ? 64 : 65) { writer.signed(-3) }
                    }
                }
            }
        }

        private func writeReferences(_ writer: inout BitWriter) {
            writer.unsigned(UInt32(references.count + (predicted == nil ? 0 : 2)))
            for (index, distances) in references.enumerated() {
                if index > 0 { writer.flag(false) }
                writeSet(distances, &writer)
            }
            guard let predicted else { return }
            writer.flag(true)
            writer.flag(predicted.delta < 0)
            writer.unsigned(predicted.delta.magnitude - 1)
            for flags in predicted.used {
                writer.flag(flags.used)
                if !flags.used { writer.flag(flags.kept) }
            }
            // Adds a set predicted from the predicted one: its length depends on the former.
            writer.flag(true)
            writer.flag(true)
            writer.unsigned(0)
            let kept =
                zip(references.last ?? [], predicted.used).map { ($0 + predicted.delta, $1) }
                + [(predicted.delta, predicted.used.last ?? (false, false))]
            let length = kept.filter { $0.0 != 0 && ($0.1.used || $0.1.kept) }.count
            for _ in 0...length { writer.flag(true) }
        }

        private func writeSet(_ distances: [Int32], _ writer: inout BitWriter) {
            let before = distances.filter { $0 < 0 }
            let after = distances.filter { $0 > 0 }
            writer.unsigned(UInt32(before.count))
            writer.unsigned(UInt32(after.count))
            for side in [before, after] {
                var last: Int32 = 0
                for distance in side {
                    writer.unsigned((distance - last).magnitude - 1)
                    writer.flag(true)
                    last = distance
                }
            }
        }
    }

    @Test(arguments: [
        Fields(testDescription: "plain"),
        Fields(testDescription: "scaling lists", scalingLists: true),
        Fields(testDescription: "PCM", pulseCode: true),
        Fields(testDescription: "long-term references", longTerm: 32),
        Fields(testDescription: "reference sets", references: [[-1, -3, 2], [], [-4, 1, 5]]),
        Fields(
            testDescription: "predicted sets, one picture falls on the present one", references: [[-1, -2, 1]],
            predicted: (1, [(true, false), (false, true), (false, false), (true, false)])),
        Fields(
            testDescription: "predicted sets, all kept", references: [[-1, 3]],
            predicted: (-2, [(true, false), (true, false), (false, true)])),
        Fields(testDescription: "seven layers", layers: 6),
    ])
    func readsRareParts(_ fields: Fields) throws {
        let parameters = try #require(parse(fields.nal))
        #expect(parameters.size == PixelSize(width: 1280, height: 720))
        #expect(parameters.color == .bt709)
        #expect(parameters.maximumBufferedFrames == 5)
        #expect(parameters.maximumReorderedFrames == 3)
    }

    @Test func cutsToTheConformanceWindow() throws {
        let fields = Fields(testDescription: "", window: [1, 2, 3, 4])
        let parameters = try #require(parse(fields.nal))
        #expect(parameters.size == PixelSize(width: 1274, height: 706))
    }

    @Test(arguments: [
        Fields(testDescription: "too wide", width: 16385),
        Fields(testDescription: "no width", width: 0),
        Fields(testDescription: "a window of nothing", window: [0, 0, 360, 0]),
        Fields(testDescription: "a window of less than nothing", window: [.max - 1, .max - 1, 0, 0]),
        Fields(testDescription: "too many long-term references", longTerm: 33),
        Fields(testDescription: "too many references", references: [(1...17).map { -$0 }]),
        Fields(testDescription: "too many layers", layers: 7),
    ])
    func refusesHostileFields(_ fields: Fields) {
        #expect(parse(fields.nal) == nil)
    }

    @Test func refusesOtherNALUnits() {
        #expect(parse(hex("4401c172b46240")) == nil)
        #expect(parse([UInt8]()) == nil)
    }
}
