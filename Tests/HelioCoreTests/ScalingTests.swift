import HelioCore
import Testing

@Suite struct ScalingTests {
    @Test("a size is made small enough for a limit, keeps its shape, and is never made larger")
    func fitted() {
        let full = PixelSize(width: 1920, height: 1080)
        func within(_ width: Int, _ height: Int) -> PixelSize {
            full.fitted(within: PixelSize(width: width, height: height))
        }
        #expect(full.fitted(within: nil) == full)
        #expect(within(1920, 1080) == full && within(4000, 4000) == full)
        #expect(within(1280, 720) == PixelSize(width: 1280, height: 720))
        #expect(within(1280, 4000) == PixelSize(width: 1280, height: 720))
        #expect(within(4000, 480) == PixelSize(width: 854, height: 480))
        #expect(within(1080, 1920) == PixelSize(width: 1080, height: 608))
        #expect(within(641, 361) == PixelSize(width: 640, height: 360), "even")
        #expect(within(16, 16) == PixelSize(width: 16, height: 16), "nothing smaller can be coded")
        for width in 16...300 {
            for height in [16, 17, 200, 399] {
                let limit = PixelSize(width: width, height: height)
                let size = full.fitted(within: limit)
                #expect(size.width <= width && size.height <= height && size.width % 2 == 0 && size.height % 2 == 0)
                #expect(size.fitted(within: limit) == size)
            }
        }
    }

    @Test("a pointer is scaled with its hot spot, and clear pixels give it no dark rim")
    func cursor() throws {
        // Two white columns, two transparent ones.
        let row: [UInt8] = [255, 255, 255, 255, 255, 255, 255, 255, 0, 0, 0, 0, 0, 0, 0, 0]
        let shape = CursorShape(
            size: PixelSize(width: 4, height: 4), hotspotX: 3, hotspotY: 1, rgba: row + row + row + row)
        #expect(shape.scaled(to: shape.size) == shape)
        let half = try #require(shape.scaled(to: PixelSize(width: 2, height: 2)))
        #expect(half.rgba == [255, 255, 255, 255, 0, 0, 0, 0, 255, 255, 255, 255, 0, 0, 0, 0])
        #expect(half.hotspotX == 1 && half.hotspotY == 0)
        let one = try #require(shape.scaled(to: PixelSize(width: 1, height: 1)))
        #expect(one.rgba == [255, 255, 255, 127])
        let double = try #require(half.scaled(to: PixelSize(width: 4, height: 4)))
        #expect(double.rgba == shape.rgba)
        #expect(
            CursorShape(size: .init(width: 0, height: 0), hotspotX: 0, hotspotY: 0, rgba: []).scaled(to: shape.size)
                == nil)
        #expect(CursorShape(size: shape.size, hotspotX: 0, hotspotY: 0, rgba: [1]).scaled(to: shape.size) == nil)
    }
}
