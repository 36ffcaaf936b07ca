import HelioCore
import HelioTestLanes
import HelioTestPrograms
import Testing

/// A host with two monitors, in a browser.
@Suite("In a browser: choosing a monitor", .serialized, .timeLimit(.minutes(3)), .tags(.quiet))
struct ChoosingTests {
    private static let both = PixelSize(width: 1280, height: 480)
    private static let monitor = PixelSize(width: 640, height: 480)
    private static let (left, right): (UInt32, UInt32) = (0x2040A0, 0xA04020)

    private static func choose(_ row: Int, _ viewer: WebViewer) throws {
        try viewer.openPanel("monitors")
        try viewer.page.click(on: "#monitors-list li:nth-child(\(row)) button")
    }

    private static func isChecked(_ row: Int) -> String {
        "document.querySelector('#monitors-list li:nth-child(\(row)) button')?.getAttribute('aria-checked') === 'true'"
    }

    @Test("the one that is chosen is shown to all, clicks land there, and only who may drive chooses")
    func choose() throws {
        let desktop = try WebDesktop(Self.both)
        desktop.screen.fill([
            (Self.left, PixelRect(x: 0, y: 0, width: 640, height: 480)),
            (Self.right, PixelRect(x: 640, y: 0, width: 640, height: 480)),
        ])
        try desktop.screen.run("xrandr", "--setmonitor", "left", "640/160x480/120+0+0", "screen")
        try desktop.screen.run("xrandr", "--setmonitor", "right", "640/160x480/120+640+0", "none")
        try desktop.host.line(with: "Monitors: left (640x480), right (640x480).")
        // The colors are drawn below the client's window.
        let client = try XClient(desktop.screen, PixelSize(width: Self.both.width, height: 100))
        let (one, two) = (try Browser(), try Browser())
        let driving = try desktop.viewer(one, of: Self.monitor)
        let watching = try desktop.viewer(two, of: Self.monitor)
        for viewer in [driving, watching] { try viewer.page.until(Self.isChecked(1)) }

        try driving.click(x: 100, y: 50)
        try client.expect([true, false].map { .button(1, isDown: $0, x: 100, y: 50) })
        try Self.choose(2, driving)
        try desktop.host.line(with: "The monitor right is shared from now on, 640x480.")
        for viewer in [driving, watching] {
            try viewer.page.until(Self.isChecked(2))
            try viewer.waitForColor(Self.right, x: 320, y: 200)
        }
        try driving.click(x: 100, y: 50)
        try client.expect([true, false].map { .button(1, isDown: $0, x: 740, y: 50) }, passingOverKeys: true)

        // A viewer without control gets a notice, and nothing changes.
        try Self.choose(1, watching)
        try watching.page.until("document.querySelector('#note').textContent.includes(' is in control.')")
        try driving.click(x: 101, y: 51)
        try client.expect([true, false].map { .button(1, isDown: $0, x: 741, y: 51) }, passingOverKeys: true)
        #expect(try driving.page.evaluate(Self.isChecked(2), as: Bool.self))
        for viewer in [driving, watching] { #expect(try viewer.page.problems() == []) }
    }
}
