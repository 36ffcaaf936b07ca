import Foundation
import HelioCore
import HelioTestLanes
import HelioTestPrograms
import Testing

/// A user opens the host's address in a browser and sees its screen.
@Suite("In a browser: watching", .serialized, .timeLimit(.minutes(3)), .tags(.quiet))
struct WatchingTests {
    /// Draws patches of colors that reveal a wrong matrix, and edges of each kind.
    private static func draw(on screen: Desktop, _ size: PixelSize) {
        let colors: [UInt32] = [0xFFFFFF, 0xC00000, 0x00A000, 0x0000C0, 0xC0C000, 0x00A0A0, 0xA000A0, 0x202020]
        var patches: [(color: UInt32, rect: PixelRect)] = [
            (0x808080, PixelRect(x: 0, y: 0, width: size.width, height: size.height))
        ]
        for (i, color) in colors.enumerated() {
            patches.append((color, PixelRect(x: 40 + 90 * i, y: 200, width: 80, height: 160)))
            patches.append((color, PixelRect(x: 40 + 90 * i, y: 400, width: 4, height: 100)))
        }
        screen.fill(patches)
    }

    @Test("without a code it asks for one, a wrong one is refused and says why, and the right one lets in")
    func code() throws {
        let desktop = try WebDesktop()
        let browser = try Browser()
        let page = try browser.page()
        try page.open(desktop.address)
        let input = try page.place(of: "#code")
        try page.click(input)
        try page.insert("0000-0000-0000-0000")
        try page.strike(.enter)
        try page.until("document.querySelector('#message').textContent.includes('code is not the one')")
        #expect(try page.evaluate("document.body.dataset.screen", as: String.self) != "watching")

        let code = try desktop.newCode()
        try page.until("document.querySelector('#code').checkVisibility()")
        try page.run("document.querySelector('#code').value = ''")
        try page.click(on: "#code")
        try page.insert(code)
        try page.strike(.enter)
        try WebViewer(page, of: desktop.size).waitForPicture()
        #expect(try page.problems() == [])
    }

    @Test("the whole page comes by one answer")
    func oneAnswer() throws {
        let desktop = try WebDesktop()
        let browser = try Browser()
        let page = try browser.page()
        try page.open(desktop.address)
        try page.until("document.querySelector('#code').checkVisibility()")
        let others: [String] = try page.evaluate(
            "performance.getEntriesByType('resource').map(({name}) => name).filter((name) => /^http/.test(name))")
        #expect(others == [])
        #expect(try page.problems() == [])
    }

    @Test("the host says what goes to a browser, and how far away it is")
    func statistics() throws {
        let desktop = try WebDesktop(share: ["--stats"])
        let browser = try Browser()
        let viewer = WebViewer(try browser.page(), of: desktop.size)
        try viewer.page.open(try desktop.newLink())
        try viewer.waitForPicture()
        struct Said: Decodable {
            struct Viewer: Decodable {
                let isBrowser: Bool
                let frames, packets, bytes: Int
                let roundTrip, loss: Double?
            }
            let viewers: [Viewer]
        }
        // A line a second; the round trip is known after the browser's first report. It may be too long once if the
        // machine has just stalled.
        var said: Said.Viewer?
        for _ in 0..<30 where (said?.roundTrip ?? .infinity) >= 1000 {
            let line = try desktop.host.line(with: "\"isBrowser\":true")
            said = try JSONDecoder().decode(Said.self, from: Data(line.utf8)).viewers.first
        }
        let viewing = try #require(said)
        #expect(viewing.isBrowser && viewing.frames > 0)
        #expect(viewing.packets >= viewing.frames && viewing.bytes > viewing.packets * 20)
        #expect(try #require(viewing.roundTrip) < 1000)
        #expect(viewing.loss == 0)
    }

    @Test(
        "the page takes all that repairs a picture: parity, retransmissions, and the round trip for when to ask again")
    func repair() throws {
        let desktop = try WebDesktop()
        let browser = try Browser()
        let page = try browser.page()
        try page.before(
            """
            globalThis.connections = [];
            const set = RTCPeerConnection.prototype.setRemoteDescription;
            RTCPeerConnection.prototype.setRemoteDescription = function (description) {
                connections.push(this);
                return set.call(this, description);
            };
            globalThis.roundTrip = null;
            setInterval(async () => {
                for (const one of (await connections.at(-1)?.getStats() ?? new Map()).values())
                    if (one.type === "remote-outbound-rtp" && one.kind === "video")
                        globalThis.roundTrip = one.roundTripTime ?? null;
            }, 100);
            """)
        try page.open(try desktop.newLink())
        try WebViewer(page, of: desktop.size).waitForPicture()
        for line in ["flexfec-03/90000", "rtx/90000", "a=ssrc-group:FEC-FR", "a=rtcp-xr:rcvr-rtt=all"] {
            #expect(
                try page.evaluate("connections.at(-1).remoteDescription.sdp.includes('\(line)')", as: Bool.self),
                "\(line)")
        }
        // An end that only receives gets the round trip by the host's responses to its reports.
        try page.until("roundTrip !== null && roundTrip < 1")
    }

    @Test("a link lets in, the picture is the screen's, and what changes there changes here")
    func picture() throws {
        let desktop = try WebDesktop()
        Self.draw(on: desktop.screen, desktop.size)
        let browser = try Browser()
        let link = try desktop.newLink()
        let viewer = WebViewer(try browser.page(), of: desktop.size)
        try viewer.page.open(link)
        try viewer.waitForPicture()
        // The secret is removed from the address, where others might read it.
        #expect(try viewer.page.evaluate("location.href", as: String.self) == desktop.address)
        #expect(try viewer.waitForLikeness(36, to: desktop.screen) >= 36)

        let whole = PixelRect(x: 0, y: 0, width: desktop.size.width, height: desktop.size.height)
        for color: UInt32 in [0xC02020, 0x20A020, 0x2020C0] {
            desktop.screen.fill([(color, whole)])
            try viewer.waitForColor(color, x: 400, y: 300)
        }
        #expect(try viewer.page.problems() == [])
    }

    @Test("each change of the screen is a frame of the page, and hardly one is dropped")
    func frames() throws {
        let desktop = try WebDesktop()
        let browser = try Browser()
        let viewer = try desktop.viewer(browser)
        var color: UInt32 = 0
        try viewer.page.run(
            """
            globalThis.shown = 0;
            const video = document.querySelector('#picture');
            const count = () => { shown++; video.requestVideoFrameCallback(count); };
            video.requestVideoFrameCallback(count);
            // Pictures of the page itself, 60 a second, for which the machine had no time.
            globalThis.missed = 0;
            let last = performance.now();
            const draw = (now) => {
                missed += Math.max(0, Math.round((now - last) * 60 / 1000) - 1);
                last = now;
                requestAnimationFrame(draw);
            };
            requestAnimationFrame(draw);
            """)
        for _ in 0..<12 {
            color = (color &+ 0x1F2F3F) & 0xFFFFFF
            let before = try viewer.page.evaluate("shown", as: Int.self)
            desktop.screen.fill([(color, PixelRect(x: 100, y: 100, width: 300, height: 300))])
            try viewer.page.until("shown > \(before)")
        }
        #expect(try viewer.frames >= 12)
        let dropped: Int = try viewer.page.evaluate(
            "document.querySelector('#picture').getVideoPlaybackQuality().droppedVideoFrames")
        let missed: Int = try viewer.page.evaluate("missed")
        #expect(dropped <= 3 + missed, "\(dropped) were dropped, and the page itself missed \(missed)")
    }

    @Test("a phone's screen and a desktop's show the whole picture, in its shape", arguments: [true, false])
    func shapes(isPhone: Bool) throws {
        let desktop = try WebDesktop()
        Self.draw(on: desktop.screen, desktop.size)
        let browser = try Browser()
        let look = isPhone ? PageLook.phone : .desktop
        let viewer = try desktop.viewer(browser, look)
        try viewer.page.until(
            """
            (() => {
                const box = document.querySelector('#picture').getBoundingClientRect();
                return Math.abs(box.width * 3 - box.height * 4) < 8 && box.width > 0
                    && box.left >= -1 && box.top >= -1 && box.right <= innerWidth + 1 && box.bottom <= innerHeight + 1;
            })()
            """)
        // The displayed color in the middle of a patch is the patch's.
        let shot = try viewer.page.screenshot(around: try viewer.place(x: 40 + 90 + 40, y: 280))
        let seen = shot.color(x: shot.size.width / 2, y: shot.size.height / 2)
        #expect(abs(seen.red - 0xC0) <= 16 && seen.green <= 16 && seen.blue <= 16, "\(seen)")
    }
}
