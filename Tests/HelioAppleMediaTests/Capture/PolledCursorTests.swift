import HelioAppleMedia
import HelioCore
import Testing

@Suite("The pointer")
struct PolledCursorTests {
    final class Reader: CursorReading {
        var place: DesktopPoint?
        var picture: CursorImage?
        var looks = 0
        func image() -> CursorImage? {
            looks += 1
            return picture
        }
    }

    @Test("its place is told in pixels of the captured monitor, once, and not while it is elsewhere")
    func places() throws {
        let reader = Reader()
        let monitor = try #require(DisplayInfo.left.monitor)
        let cursor = PolledCursor(reader, monitor: { monitor }, clock: { .zero })
        #expect(try cursor.takePosition() == nil)
        reader.place = DesktopPoint(x: -799.5, y: -99)
        let place = try #require(try cursor.takePosition())
        #expect(place == (0, 1))
        #expect(try cursor.takePosition() == nil)
        #expect(cursor.isOnScreen)
        reader.place = DesktopPoint(x: 0, y: 0)
        #expect(try cursor.takePosition() == nil)
        #expect(!cursor.isOnScreen)
        reader.place = DesktopPoint(x: .nan, y: 0)
        #expect(try cursor.takePosition() == nil)
    }

    @Test("its shape is looked at seldom, told when it changes, and fits the monitor")
    func shapes() throws {
        let reader = Reader()
        var now = Instant.zero
        let monitor = try #require(DisplayInfo.left.monitor)
        let cursor = PolledCursor(reader, monitor: { monitor }, clock: { now })
        reader.picture = CursorImage(
            pixels: PixelSize(width: 2, height: 2), scale: 2, hotspot: DesktopPoint(x: 0.5, y: 0.5),
            premultiplied: [UInt8](repeating: 64, count: 12) + [0, 0, 0, 64])
        #expect(try cursor.takeShape()?.size == PixelSize(width: 1, height: 1))
        #expect(try cursor.takeShape() == nil)
        #expect(reader.looks == 1)
        now = now + .milliseconds(50)
        #expect(try cursor.takeShape() == nil)
        #expect(reader.looks == 2)
    }

    @Test("a picture that makes no sense is no shape; colours are divided by alpha")
    func images() {
        func image(_ width: Int, _ bytes: [UInt8]) -> CursorImage {
            CursorImage(
                pixels: PixelSize(width: width, height: 1), scale: 1, hotspot: DesktopPoint(x: 9, y: -9),
                premultiplied: bytes)
        }
        #expect(image(0, []).shape(monitorScale: 1) == nil)
        #expect(image(2, [1, 2, 3, 4]).shape(monitorScale: 1) == nil)
        let shape = image(2, [64, 32, 200, 128, 9, 9, 9, 0]).shape(monitorScale: 1)
        #expect(shape?.rgba == [128, 64, 255, 128, 0, 0, 0, 0])
        #expect(shape?.hotspotX == 1)
        #expect(shape?.hotspotY == 0)
    }
}
