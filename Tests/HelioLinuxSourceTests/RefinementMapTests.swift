import HelioCore
import HelioPatch
import Testing

@testable import HelioLinuxSource

@Suite("What of a resting picture has been refined")
struct RefinementMapTests {
    private let blocks = 12

    private func body(_ count: Int, _ quantisers: inout [Int], in map: inout RefinementMap) {
        let total = blocks
        let qp = map.refine { bytes, qp, _ in
            var left = count
            for index in 0..<total where bytes[index] == 0 && left > 0 {
                bytes[index] = 1
                left -= 1
            }
            return qp
        }
        if let qp { quantisers.append(qp) }
    }

    private func map(live qp: Int) throws -> RefinementMap {
        let picture = try PlanarPicture(size: PixelSize(width: 64, height: 48), chroma: .yuv420, color: .bt709)
        var map = RefinementMap()
        map.note(picture.blocks, isKeyframe: true)
        map.coded(at: qp)
        return map
    }

    @Test("what came coarse becomes better as a whole first")
    func coarse() throws {
        var map = try map(live: 44)
        var quantisers: [Int] = []
        while !map.isSharp, quantisers.count < 20 { body(5, &quantisers, in: &map) }
        #expect(quantisers == [34, 34, 34, 24, 24, 24, 6, 6, 6])
    }

    @Test("what came fine needs one pass")
    func fine() throws {
        var map = try map(live: 22)
        var quantisers: [Int] = []
        while !map.isSharp, quantisers.count < 20 { body(6, &quantisers, in: &map) }
        #expect(quantisers == [6, 6])
    }

    @Test("a piece begins where the one before it ended, and what is left behind comes at last")
    func pieces() throws {
        var map = try map(live: 22)
        var begins: [Int] = []
        for end in [5, 9, 0] {
            _ = map.refine { bytes, _, piece in
                begins.append(piece.next)
                for index in piece.next..<(end == 0 ? blocks : end) { bytes[index] = 1 }
                piece.next = end
            }
            if end == 5 { map.touch(2) }
        }
        #expect(begins == [0, 5, 9])
        #expect(!map.isSharp)
        map.refine { bytes, _, piece in
            begins.append(piece.next)
            bytes[2] = 1
        }
        #expect(begins.last == 0)
        #expect(map.isSharp)
    }

    @Test("what is touched meanwhile is refined again")
    func touched() throws {
        var map = try map(live: 34)
        var quantisers: [Int] = []
        body(11, &quantisers, in: &map)
        map.touch(3)
        body(1, &quantisers, in: &map)
        body(1, &quantisers, in: &map)
        body(12, &quantisers, in: &map)
        #expect(quantisers == [24, 24, 24, 6])
        #expect(map.isSharp)
    }
}
