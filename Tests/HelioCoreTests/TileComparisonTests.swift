import HelioCore
import Testing

@Suite("The comparison of two pictures by tiles") struct TileComparisonTests {
    /// A picture in rows that are 8 bytes longer than needed.
    private struct Picture {
        let size: PixelSize
        let bytesPerPixel: Int
        var bytes: [UInt8]
        var stride: Int { size.width * bytesPerPixel + 8 }

        init(_ width: Int, _ height: Int, bytesPerPixel: Int = 4) {
            size = PixelSize(width: width, height: height)
            self.bytesPerPixel = bytesPerPixel
            bytes = [UInt8](repeating: 7, count: (width * bytesPerPixel + 8) * height)
        }

        /// Changes one byte of a pixel.
        mutating func set(_ x: Int, _ y: Int, byte: Int = 0) { bytes[y * stride + x * bytesPerPixel + byte] ^= 0x80 }
    }

    /// Returns the region that differs, and the tiles with their first differing rows.
    private static func compare(
        _ part: PixelRect, _ newer: Picture, _ older: Picture
    ) -> (region: Region, tiles: [PixelRect], rows: [Int]) {
        var region = Region()
        var tiles: [PixelRect] = []
        var rows: [Int] = []
        newer.bytes.withUnsafeBytes { new in
            older.bytes.withUnsafeBytes { old in
                guard let new = new.baseAddress, let old = old.baseAddress else { return }
                TileComparison.compare(
                    part, of: TileComparison.Picture(new, stride: newer.stride),
                    with: TileComparison.Picture(old, stride: older.stride), bytesPerPixel: newer.bytesPerPixel,
                    addingTo: &region
                ) {
                    tiles.append($0)
                    rows.append($1)
                }
            }
        }
        return (region, tiles, rows)
    }

    @Test("equal pictures have no difference, whatever lies beyond their rows") func equal() {
        let older = Picture(130, 40)
        var newer = older
        for row in 0..<40 { newer.bytes[row * newer.stride + 130 * 4 + 3] = 9 }
        #expect(Self.compare(PixelRect(newer.size), newer, older).region.isEmpty)
    }

    @Test("a pixel is found in its tile, at any byte of it", arguments: [3, 4]) func pixel(bytesPerPixel: Int) {
        let older = Picture(200, 100, bytesPerPixel: bytesPerPixel)
        for (x, y) in [(0, 0), (63, 15), (64, 16), (130, 50), (199, 99)] {
            for byte in 0..<bytesPerPixel {
                var newer = older
                newer.set(x, y, byte: byte)
                let found = Self.compare(PixelRect(newer.size), newer, older)
                let tile = PixelRect(x: x / 64 * 64, y: y / 16 * 16, width: 64, height: 16)
                    .intersection(PixelRect(newer.size))
                #expect(found.region == Region(tile) && found.tiles == [tile] && found.rows == [y], "\(x),\(y)+\(byte)")
            }
        }
    }

    @Test("only the part is compared, and its edges cut tiles") func part() {
        let older = Picture(200, 100)
        var newer = older
        newer.set(10, 10)
        newer.set(100, 50)
        let found = Self.compare(PixelRect(x: 90, y: 45, width: 30, height: 20), newer, older)
        #expect(found.region == Region(PixelRect(x: 90, y: 48, width: 30, height: 16)))
        #expect(Self.compare(PixelRect(x: 101, y: 0, width: 99, height: 100), newer, older).region.isEmpty)
        #expect(Self.compare(PixelRect(x: 5, y: 5, width: 0, height: 9), newer, older).region.isEmpty)
    }

    @Test("tiles side by side are one rectangle, others are apart") func runs() {
        let older = Picture(640, 64)
        var newer = older
        for x in [5, 70, 300] { newer.set(x, 20) }
        let found = Self.compare(PixelRect(newer.size), newer, older)
        #expect(
            found.region.rects == [
                PixelRect(x: 0, y: 16, width: 128, height: 16), PixelRect(x: 256, y: 16, width: 64, height: 16),
            ])
        #expect(found.tiles.count == 3)
    }

    @Test("what is reported covers all that differs, and nothing beyond tiles with a difference") func random() {
        var generator = SeededGenerator(seed: 44)
        for _ in 0..<50 {
            let older = Picture(Int.random(in: 1...200, using: &generator), Int.random(in: 1...60, using: &generator))
            var newer = older
            var places: [(Int, Int)] = []
            for _ in 0..<Int.random(in: 0...5, using: &generator) {
                let (x, y) = (
                    Int.random(in: 0..<older.size.width, using: &generator),
                    Int.random(in: 0..<older.size.height, using: &generator)
                )
                if places.contains(where: { $0 == (x, y) }) { continue }
                places.append((x, y))
                newer.set(x, y)
            }
            let found = Self.compare(PixelRect(newer.size), newer, older)
            for (x, y) in places {
                #expect(found.region.rects.contains { $0.contains(PixelRect(x: x, y: y, width: 1, height: 1)) })
            }
            for tile in found.tiles {
                #expect(places.contains { tile.contains(PixelRect(x: $0.0, y: $0.1, width: 1, height: 1)) })
            }
        }
    }
}
