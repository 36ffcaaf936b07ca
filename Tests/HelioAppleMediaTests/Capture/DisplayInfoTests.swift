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
        let displays: [DisplayInfo] = [.main, .left]
        #expect(MonitorLayout(displays: displays, wanted: nil)?.selected.id == "1")
        #expect(try MonitorLayout.id(named: "7", among: displays) == "7")
        #expect(try MonitorLayout.id(named: "Built-in", among: displays) == "1")
        #expect(try MonitorLayout.id(named: "0", among: displays) == "1")
        #expect(try MonitorLayout.id(named: nil, among: displays) == nil)
        #expect(throws: HelioError.self) { try MonitorLayout.id(named: "-1", among: displays) }
    }

    static func window(
        _ number: UInt32, _ title: String = "Letter",
        frame: FrameRect = FrameRect(x: 10, y: 20, width: 300, height: 200),
        layer: Int = 0, isOwn: Bool = false
    ) -> ListedWindow {
        ListedWindow(number: number, owner: "Editor", title: title, frame: frame, layer: layer, isOwn: isOwn)
    }

    @Test("windows are offered by their titles, in the pixels of the display that they lie on")
    func windows() {
        let listed = [
            Self.window(5), Self.window(6, "", frame: FrameRect(x: -500, y: 0, width: 301, height: 200)),
            Self.window(7, layer: 25), Self.window(8, isOwn: true),
            Self.window(9, frame: FrameRect(x: 0, y: 0, width: 20, height: 200)),
            Self.window(10, frame: FrameRect(x: 0, y: 0, width: .nan, height: 200)),
        ]
        let windows = DisplayInfo.windows(listed, on: [.main, .left])
        #expect(windows.map(\.id) == ["window-5", "window-6"])
        #expect(windows.map(\.name) == ["Letter (Editor)", "Editor"])
        #expect(
            windows.compactMap(\.monitor).map(\.rect.size) == [
                PixelSize(width: 600, height: 400), PixelSize(width: 300, height: 200),
            ])
        let many = (0..<100).map { Self.window($0) }
        #expect(DisplayInfo.windows(many, on: []).count == DisplayInfo.mostWindows)
    }

    @Test("who shares a window shares nothing else, and who shares a display tells no titles")
    func alone() {
        let all = [DisplayInfo.main, .left] + DisplayInfo.windows([Self.window(5), Self.window(6)], on: [.main])
        #expect(MonitorLayout(displays: all, wanted: "window-5")?.monitors.map(\.id) == ["window-5"])
        #expect(MonitorLayout(displays: all, wanted: "7")?.monitors.map(\.id) == ["1", "7"])
        #expect(MonitorLayout(displays: all, wanted: nil)?.monitors.map(\.id) == ["1", "7"])
        // A closed window is not replaced by the whole screen.
        #expect(MonitorLayout(displays: [.main, .left], wanted: "window-5") == nil)
    }

    @Test("displays of one name are told apart, and one without a name has its number")
    func displayNames() {
        let names = DisplayNames()
        #expect(names.name(of: 3) == "Display 3")
        names.set([(3, "Studio"), (4, "Studio"), (5, "")])
        #expect([3, 4, 5, 6].map { names.name(of: $0) } == ["Studio", "Studio (2)", "Display 5", "Display 6"])
    }
}
