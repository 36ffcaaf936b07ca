import Foundation
import HelioCore
import HelioTestLanes
import HelioTestPrograms
import Testing

/// The other suites' checks in Firefox: the page, the picture, the input.
@Suite("In Firefox", .serialized, .timeLimit(.minutes(3)), .tags(.quiet))
struct FirefoxTests {
    @Test("a link lets in, the picture is the screen's, and a reload goes on")
    func watching() throws {
        let desktop = try WebDesktop()
        let patches: [(color: UInt32, rect: PixelRect)] = [
            (0x707070, PixelRect(x: 0, y: 0, width: 800, height: 600)),
            (0xC03020, PixelRect(x: 100, y: 100, width: 200, height: 300)),
            (0x20A040, PixelRect(x: 400, y: 100, width: 200, height: 300)),
        ]
        desktop.screen.fill(patches)
        let browser = try Browser(.firefox)
        let viewer = try desktop.viewer(browser)
        #expect(try viewer.page.evaluate("location.href", as: String.self) == desktop.address)
        #expect(try viewer.waitForLikeness(34, to: desktop.screen) >= 34)
        try viewer.waitForColorChange(on: desktop)
        try viewer.page.until("sessionStorage.length > 0")
        try viewer.page.reload()
        try viewer.waitForPicture()
        try viewer.waitForColorChange(on: desktop)
        #expect(try viewer.page.problems() == [])
    }

    @Test("a click, a drag, the wheel, keys and text arrive")
    func driving() throws {
        let desktop = try WebDesktop()
        let client = try XClient(desktop.screen, desktop.size)
        let browser = try Browser(.firefox)
        let viewer = try desktop.viewer(browser)
        let page = viewer.page
        try viewer.click(x: 101, y: 151)
        try client.expect([
            .button(1, isDown: true, x: 101, y: 151), .button(1, isDown: false, x: 101, y: 151),
        ])
        try page.press(.left, try viewer.place(x: 101, y: 151))
        try viewer.move(x: 500, y: 400)
        try page.release(.left, try viewer.place(x: 500, y: 400))
        try client.expect([
            .button(1, isDown: true, x: 101, y: 151), .button(1, isDown: false, x: 500, y: 400),
        ])
        try page.strike(.shift, .letter("B"))
        try client.expect([
            .key(keysym: 0xFFE1, isDown: true, modifiers: 0), .key(keysym: 0x42, isDown: true, modifiers: 1),
            .key(keysym: 0x42, isDown: false, modifiers: 1), .key(keysym: 0xFFE1, isDown: false, modifiers: 1),
        ])
        try page.insert("é日")
        try page.strike(.enter)
        #expect(try client.text(through: 0xFF0D) == [0xE9, 0x0100_65E5, 0xFF0D])
        // Firefox's driver turns several notches at once.
        try page.wheel(try viewer.place(x: 500, y: 400), dy: 120)
        var wheel = try client.next()
        while case .key = wheel { wheel = try client.next() }
        #expect(wheel == .button(5, isDown: true, x: 500, y: 400))
        #expect(try page.problems() == [])
    }
}
