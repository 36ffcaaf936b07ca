import HelioBitstream
import HelioCore
import Testing

struct NewestParameterSetsTests {
    /// Processes an access unit of these NAL units; returns the parameter sets that a keyframe lacks.
    private static func update(
        _ sets: inout NewestParameterSets, _ units: [[UInt8]], isKeyframe: Bool = true
    )
        -> [[UInt8]]?
    {
        let bytes = units.flatMap { AnnexB.startCode + $0 }
        return sets.update(bytes.span.bytes, AnnexB.nalUnits(in: bytes.span.bytes), isKeyframe: isKeyframe)
    }

    private static let (sps, pps, idr): ([UInt8], [UInt8], [UInt8]) = ([0x67, 1], [0x68, 2], [0x65, 3])

    @Test func missing() {
        var sets = NewestParameterSets(.h264)
        #expect(Self.update(&sets, [Self.idr]) == nil)
        #expect(Self.update(&sets, [Self.sps, Self.idr]) == nil)
        #expect(Self.update(&sets, [Self.pps], isKeyframe: false) == [])
        #expect(Self.update(&sets, [Self.idr]) == [Self.sps, Self.pps])
        #expect(Self.update(&sets, [Self.pps, Self.idr]) == [Self.sps])
        #expect(Self.update(&sets, [Self.sps, Self.pps, Self.idr]) == [])
    }

    /// The sets of a type are replaced all at once, by an access unit that has any of the type; the others stay.
    @Test func newest() {
        var sets = NewestParameterSets(.h264)
        _ = Self.update(&sets, [Self.pps, Self.sps, Self.idr])
        _ = Self.update(&sets, [[0x68, 4], [0x68, 5], Self.idr])
        #expect(sets.all == [Self.sps, [0x68, 4], [0x68, 5]])
        #expect(sets.size == nil)
    }

    @Test func h265() {
        let (vps, sps, pps): ([UInt8], [UInt8], [UInt8]) = ([0x40, 1, 1], [0x42, 1, 2], [0x44, 1, 3])
        var sets = NewestParameterSets(.h265)
        #expect(Self.update(&sets, [pps, sps], isKeyframe: false) == [])
        #expect(Self.update(&sets, [[0x26, 1, 9]]) == nil)
        _ = Self.update(&sets, [vps], isKeyframe: false)
        #expect(sets.all == [vps, sps, pps])
    }

    /// An access unit with more than 64 KiB of parameter sets clears the stored ones.
    @Test func bounded() {
        var sets = NewestParameterSets(.h264)
        let large = [0x68] + [UInt8](repeating: 0x55, count: 40000)
        _ = Self.update(&sets, [Self.sps, large, Self.idr])
        #expect(sets.all == [Self.sps, large])
        _ = Self.update(&sets, [large, large, Self.idr])
        #expect(sets.all == [])
    }
}
