import HelioAppleMedia
import HelioCore
import Testing

@Suite("Displays as monitors")
struct DisplayInfoTests {
    @Test("a display's place is its points by its scale, its size is that of its pixels, even")
    func places() throws {
        let display = DisplayInfo(
            number: 3, name: "D", frame: FrameRect(x: -1440, y: 100, width: 1440, height: 900),
            pixels: PixelSize(width: 2881, height: 1801), isMain: false)
        let monitor = try #require(display.monitor)
        #expect(monitor.rect.size == PixelSize(width: 2880, height: 1800))
        #expect(monitor.rect.x == -2881)
        #expect(monitor.rect.y == 200)
    }

    @Test(
        "one that makes no sense is left out",
        arguments: [
            (0.0, 100.0, 800), (Double.nan, 100, 800), (0, 0, 800), (0, .infinity, 800), (0, 100, 0), (0, 100, 99_999),
            (1e9, 100, 800),
        ])
    func senseless(x: Double, width: Double, pixels: Int) {
        let display = DisplayInfo(
            number: 3, name: "D", frame: FrameRect(x: x, y: 0, width: width, height: 100),
            pixels: PixelSize(width: pixels, height: 600), isMain: true)
        let isSensible = x == 0 && width == 100 && pixels == 800
        #expect((display.monitor != nil) == isSensible)
    }

    @Test("a monitor is named by id, name or place in the list")
    func names() throws {
        let layout = try #require(MonitorLayout(displays: [.main, .left], wanted: nil))
        #expect(layout.selected.id == "1")
        #expect(try layout.id(named: "7") == "7")
        #expect(try layout.id(named: "Built-in") == "1")
        #expect(try layout.id(named: "0") == "1")
        #expect(try layout.id(named: nil) == nil)
        #expect(throws: HelioError.self) { try layout.id(named: "-1") }
    }
}
