import HelioBitstream
import HelioCore
import Testing

@Suite("Another colour in a parameter set")
struct SequenceColorTests {
    /// Sequence parameter sets of both codecs: an encoder's, and those of the other tests.
    static let sets: [(codec: VideoCodec, nal: String)] =
        H264SequenceParametersTests.vectors.map { (VideoCodec.h264, $0.nal) }
        + H265SequenceParametersTests.vectors.map { (VideoCodec.h265, $0.nal) }

    static let colors = [
        ColorDescription.bt709, .bt601, ColorDescription(primaries: 0, transfer: 0, matrix: 0, isFullRange: true),
    ]

    @Test("is read again, and everything else is as it was", arguments: sets, colors)
    func replaced(_ set: (codec: VideoCodec, nal: String), color: ColorDescription) throws {
        let before = hex(set.nal)
        let made = SequenceColor.replacing(in: before.span.bytes, codec: set.codec, by: color)
        let after = try #require(made)
        switch set.codec {
        case .h264:
            let both = [before, after].map { H264SequenceParameters.parse(nal: $0.span.bytes) }
            let (old, new) = (try #require(both[0]), try #require(both[1]))
            #expect(new.color == color && new.size == old.size && new.codedSize == old.codedSize)
            #expect(new.profile == old.profile && new.level == old.level && new.constraints == old.constraints)
            #expect(new.maximumReorderedFrames == old.maximumReorderedFrames)
            #expect(new.maximumBufferedFrames == old.maximumBufferedFrames)
        case .h265:
            let both = [before, after].map { H265SequenceParameters.parse(nal: $0.span.bytes) }
            let (old, new) = (try #require(both[0]), try #require(both[1]))
            #expect(new.color == color && new.size == old.size && new.codedSize == old.codedSize)
            #expect(new.maximumReorderedFrames == old.maximumReorderedFrames)
        }
        // Replacing twice equals replacing once, and the output contains no start code.
        #expect(SequenceColor.replacing(in: after.span.bytes, codec: set.codec, by: color) == after)
        #expect(AnnexB.nalUnits(in: (AnnexB.startCode + after).span.bytes).count == 1)
    }

    @Test("a set that says its colour has the very same bits with the same colour again")
    func same() throws {
        let set = hex(H264SequenceParametersTests.vectors[0].nal)
        #expect(SequenceColor.replacing(in: set.span.bytes, codec: .h264, by: .bt709) == set)
    }

    /// A baseline SPS of 640x480, written field by field.
    private func plain(hasVUI: Bool) -> [UInt8] {
        var writer = BitWriter()
        for (value, count) in [(66, 8), (0, 8), (30, 8)] { writer.bits(UInt32(value), count) }
        for value in [0, 0, 2, 1] { writer.unsigned(UInt32(value)) }
        writer.flag(false)
        writer.unsigned(39)
        writer.unsigned(29)
        for flag in [true, true, false, hasVUI] { writer.flag(flag) }
        if hasVUI {
            writer.bits(0, 2)
            VUI.color(.bt601, &writer)
            writer.bits(0, 6)
        }
        var annexB: [UInt8] = []
        writer.finish(header: [0x67], into: &annexB)
        return Array(annexB.dropFirst(4))
    }

    private enum VUI {
        static func color(_ color: ColorDescription, _ writer: inout BitWriter) {
            writer.flag(true)
            writer.bits(5, 3)
            writer.flag(color.isFullRange)
            writer.flag(true)
            for point in [color.primaries, color.transfer, color.matrix] { writer.bits(UInt32(point), 8) }
        }
    }

    @Test("a set without a VUI gets one, of nothing but the colour")
    func without() {
        let made = SequenceColor.replacing(in: plain(hasVUI: false).span.bytes, codec: .h264, by: .bt601)
        #expect(made == plain(hasVUI: true))
    }

    @Test("what is no parameter set, or a broken one, is left alone", arguments: sets)
    func broken(_ set: (codec: VideoCodec, nal: String)) {
        let whole = hex(set.nal)
        for count in 0..<min(whole.count, 12) {
            let cut = Array(whole.prefix(count))
            #expect(SequenceColor.replacing(in: cut.span.bytes, codec: set.codec, by: .bt709) == nil)
        }
        var other = whole
        other[0] = set.codec == .h264 ? 0x68 : 0x44
        #expect(SequenceColor.replacing(in: other.span.bytes, codec: set.codec, by: .bt709) == nil)
        let long = whole + [UInt8](repeating: 0xFF, count: 1 << 16)
        #expect(SequenceColor.replacing(in: long.span.bytes, codec: set.codec, by: .bt709) == nil)
    }
}
