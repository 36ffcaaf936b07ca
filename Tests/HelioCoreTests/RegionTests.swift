import HelioCore
import Testing

@Suite struct RegionTests {
    private func rect(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> PixelRect {
        PixelRect(x: x, y: y, width: width, height: height)
    }

    @Test func takesNothingFromEmptyRectangles() {
        var region = Region()
        region.add(rect(5, 5, 0, 10))
        region.add(rect(5, 5, 10, -1))
        #expect(region.isEmpty)
        #expect(region.bounds.isEmpty)
    }

    @Test func containedRectanglesVanishWhicheverComesFirst() {
        var region = Region(rect(0, 0, 100, 100))
        region.add(rect(10, 10, 5, 5))
        #expect(region.rects == [rect(0, 0, 100, 100)])
        region = Region(rect(10, 10, 5, 5))
        region.add(rect(0, 0, 100, 100))
        #expect(region.rects == [rect(0, 0, 100, 100)])
    }

    @Test func rowsThatTouchBecomeOne() {
        var region = Region()
        for row in 0..<50 { region.add(rect(0, row * 20, 640, 20)) }
        #expect(region.rects == [rect(0, 0, 640, 1000)])
    }

    @Test func apartStaysApart() {
        var region = Region(rect(0, 0, 10, 10))
        region.add(rect(500, 500, 10, 10))
        #expect(region.rects.count == 2)
        #expect(region.bounds == rect(0, 0, 510, 510))
    }

    @Test(arguments: 0..<20)
    func neverLosesAPixelAndKeepsItsLimit(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var region = Region()
        var added: [PixelRect] = []
        for _ in 0..<200 {
            let next = rect(
                Int(random.next() % 1900), Int(random.next() % 1060), 1 + Int(random.next() % 20),
                1 + Int(random.next() % 20))
            added.append(next)
            region.add(next)
            #expect(region.rects.count <= Region.limit)
        }
        for piece in added {
            #expect(isCovered(piece, by: region))
            #expect(isCovered(piece, by: region.aligned(to: 16, within: rect(0, 0, 1920, 1080))))
        }
    }

    @Test func overTheLimitTheNearestMerge() {
        var region = Region()
        for i in 0..<Region.limit { region.add(rect(i * 200, 0, 10, 10)) }
        region.add(rect(5, 12, 10, 10))
        #expect(region.rects.count == Region.limit)
        #expect(region.rects.contains(rect(0, 0, 15, 22)))
    }

    @Test func outsideOfBoundsNothingIsLeft() {
        let region = Region(rect(105, 0, 10, 10))
        #expect(region.aligned(to: 16, within: rect(0, 0, 100, 100)).isEmpty)
    }

    @Test func alignmentStopsAtBounds() {
        let region = Region(rect(90, 90, 100, 5))
        #expect(region.aligned(to: 16, within: rect(0, 0, 100, 100)).rects == [rect(80, 80, 20, 16)])
    }

    @Test(arguments: [
        (PixelRect(x: 0, y: 0, width: 16, height: 16), PixelRect(x: 0, y: 0, width: 16, height: 16)),
        (PixelRect(x: 15, y: 16, width: 2, height: 1), PixelRect(x: 0, y: 16, width: 32, height: 16)),
        (PixelRect(x: -5, y: -17, width: 6, height: 1), PixelRect(x: -16, y: -32, width: 32, height: 16)),
        (PixelRect(x: 7, y: 7, width: 0, height: 3), PixelRect(x: 7, y: 7, width: 0, height: 3)),
    ])
    func alignsOutwards(given: PixelRect, expected: PixelRect) {
        #expect(given.aligned(to: 16) == expected)
    }

    private func isCovered(_ piece: PixelRect, by region: Region) -> Bool {
        (piece.x..<piece.maxX).allSatisfy { x in
            (piece.y..<piece.maxY).allSatisfy { y in
                region.rects.contains { $0.contains(rect(x, y, 1, 1)) }
            }
        }
    }
}
