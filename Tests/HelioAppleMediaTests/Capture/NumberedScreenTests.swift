import HelioAppleMedia
import HelioCore
import Testing

@Suite("The test picture")
struct NumberedScreenTests {
    /// Paints into bytes of luma, or fails for lack of memory.
    final class Painter: TestPicturePainting {
        var hasMemory = true
        func paint(_ parts: [TestPicturePart], size: PixelSize) -> [UInt8]? {
            guard hasMemory else { return nil }
            var luma = [UInt8](repeating: 0, count: size.area)
            for part in parts {
                for y in part.rect.y..<part.rect.maxY {
                    for x in part.rect.x..<part.rect.maxX { luma[y * size.width + x] = part.luma }
                }
            }
            return luma
        }
    }

    @Test("each picture shows its number, also scaled down, and covers all of itself", arguments: [320, 128])
    func numbers(width: Int) throws {
        let waiter = ScriptedWaiter()
        let screen = try NumberedScreen(
            size: PixelSize(width: 320, height: 160), framesPerSecond: 50, painter: Painter(), waiter: waiter)
        let size = PixelSize(width: width, height: width / 2)
        let picture = try screen.makePicture(size: size, chroma: .yuv420, color: .bt709)
        for expected in 0..<5 {
            #expect(try screen.waitForChange(until: nil) == .changed(at: .zero + .milliseconds(20 * expected)))
            #expect(try screen.capture(into: picture, everything: false)?.damage == Region(PixelRect(size)))
            let luma = try #require(picture.buffer)
            #expect(!luma.contains(0))
            var number = 0
            for cell in 0..<16 { number = number * 2 + (luma[(cell * 4 + 1) * width / 64] > 100 ? 1 : 0) }
            #expect(number == expected)
            #expect(try screen.capture(into: picture, everything: false) == nil)
        }
    }

    @Test("no memory is an error, and so is a size without room for the number")
    func errors() throws {
        let waiter = ScriptedWaiter()
        let painter = Painter()
        let screen = try NumberedScreen(
            size: PixelSize(width: 128, height: 64), framesPerSecond: 0, painter: painter, waiter: waiter)
        let picture = try screen.makePicture(size: screen.size, chroma: .yuv420, color: .bt709)
        painter.hasMemory = false
        #expect(throws: HelioError.self) { try screen.capture(into: picture, everything: true) }
        screen.waker()
        #expect(try screen.waitForChange(until: nil) == .woken)
        #expect(throws: HelioError.self) {
            try NumberedScreen(
                size: PixelSize(width: 100, height: 64), framesPerSecond: 1, painter: painter, waiter: waiter)
        }
    }
}
