import Foundation
import HelioCore
import HelioTestLanes
import HelioTestPrograms
import Testing

/// The picture that the page decodes and draws itself, if its address requests that. (Without a request, it does so only
/// where it is faster than the browser, which it isn't without a graphics card.)
@Suite("In a browser: the page's own picture", .serialized, .timeLimit(.minutes(3)), .tags(.quiet))
struct OwnPictureTests {
    /// A script that gives tests access to the page's workers and connections, and counts the display's frames in which
    /// no picture was visible after the first.
    private static let eyes = """
        globalThis.workers = [];
        globalThis.connections = [];
        const PlainWorker = Worker, Connection = RTCPeerConnection;
        globalThis.Worker = class extends PlainWorker {
            constructor(address, ...more) {
                super(address, ...more);
                if (String(address).includes("pictureworker")) workers.push(this);
            }
        };
        globalThis.RTCPeerConnection = class extends Connection {
            constructor(...all) { super(...all); connections.push(this); }
        };
        globalThis.received = async () => {
            for (const one of (await connections.at(-1).getStats()).values())
                if (one.type === "inbound-rtp" && one.kind === "video") return one;
            return {};
        };
        globalThis.wasThere = false;
        globalThis.blanks = 0;
        const look = () => {
            const video = document.querySelector("#picture"), canvas = document.querySelector("#drawn");
            const isThere = canvas && (!canvas.hidden || video.videoWidth > 16 && video.readyState >= 2
                && !video.classList.contains("is-unused"));
            if (wasThere && !isThere) blanks++;
            wasThere ||= Boolean(isThere);
            requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
        """

    private static let canvas = "document.querySelector('#drawn')"

    private static func waitForMode(_ mode: String, _ page: Page, seconds: Double = 30) throws {
        do {
            try page.until("\(canvas).dataset.mode === '\(mode)'", seconds: seconds)
        } catch {
            let seen = try? page.evaluate(
                "JSON.stringify([{...\(canvas).dataset}, document.body.dataset.screen])", as: String.self)
            throw BrowserError(description: "\(error); it is \(seen ?? "gone")")
        }
    }

    /// Opens a page that requests its own picture.
    private static func open(
        _ desktop: WebDesktop, _ browser: Browser, context: String = UUID().uuidString, before script: String? = nil
    ) throws -> WebViewer {
        let viewer = WebViewer(try browser.page(context: context), of: desktop.size)
        try viewer.page.before(eyes)
        if let script { try viewer.page.before(script) }
        try viewer.page.open(try desktop.newLink().replacing("/#", with: "/?picture=own#"))
        return viewer
    }

    /// Opens a page that shows only its own picture.
    private static func viewer(
        _ desktop: WebDesktop, _ browser: Browser, context: String = UUID().uuidString
    ) throws -> WebViewer {
        let viewer = try open(desktop, browser, context: context)
        try waitForMode("own", viewer.page)
        try viewer.waitForControl()
        return viewer
    }

    /// Waits until a color, 0xRRGGBB, is visible at a pixel of the host's screen, within a tolerance for each channel.
    private static func waitToSee(
        _ color: UInt32, x: Int, y: Int, within tolerance: Int = 3, _ viewer: WebViewer
    ) throws {
        let wanted = [color >> 16, color >> 8 & 0xFF, color & 0xFF].map { Int($0) }
        let patience = Patience()
        while true {
            let shot = try viewer.page.screenshot(around: try viewer.place(x: x, y: y))
            let seen = shot.color(x: shot.size.width / 2, y: shot.size.height / 2)
            let worst = zip([seen.red, seen.green, seen.blue], wanted).map { abs($0 - $1) }.max() ?? 255
            if worst <= tolerance { return }
            if patience.isOver {
                throw BrowserError(description: "\(seen) at \(x), \(y), in place of \(wanted)")
            }
        }
    }

    private static func waitToSeeChange(_ viewer: WebViewer, on desktop: WebDesktop) throws {
        let color = desktop.nextColor()
        let (width, height) = (desktop.size.width, desktop.size.height)
        desktop.screen.fill([(color, PixelRect(x: 0, y: 0, width: width, height: height))])
        try waitToSee(color, x: width / 2, y: height / 2, viewer)
    }

    @Test("with a transform that lets all pass the picture is as before", arguments: [Browser.Kind.chromium, .firefox])
    func standing(kind: Browser.Kind) throws {
        let desktop = try WebDesktop()
        let browser = try Browser(kind)
        // A picture that is synchronised with sound is decoded by the browser if the page can't play the sound itself.
        let viewer = try Self.open(
            desktop, browser,
            before: """
                delete globalThis.AudioDecoder;
                if (location.host) localStorage['heliograph.settings'] = JSON.stringify({inStep: true});
                """)
        try viewer.waitForPicture()
        try Self.waitForMode("video", viewer.page)
        try viewer.waitForColorChange(on: desktop)
        #expect(try viewer.waitForLikeness(36, to: desktop.screen) >= 36)
        #expect(try viewer.page.evaluate("\(Self.canvas).hidden", as: Bool.self))
        let problems = try viewer.page.problems()
        #expect(problems == [])
    }

    /// A script by which the page takes the machine for one with a graphics card.
    private static let card = """
        const getContext = OffscreenCanvas.prototype.getContext;
        OffscreenCanvas.prototype.getContext = function (kind, ...more) {
            const card = {getExtension: () => null, getParameter: () => "a card"};
            return kind === "webgl" ? card : getContext.call(this, kind, ...more);
        };
        """

    @Test(
        "without a graphics card the browser shows the picture, unless the address asks for the page's own",
        arguments: [("", false), ("", true), ("?picture=video", true)])
    func off(way: (query: String, claimsCard: Bool)) throws {
        let desktop = try WebDesktop()
        let browser = try Browser()
        let viewer = WebViewer(try browser.page(), of: desktop.size)
        try viewer.page.before(Self.eyes)
        if way.claimsCard { try viewer.page.before(Self.card) }
        try viewer.page.open(try desktop.newLink().replacing("/#", with: "/\(way.query)#"))
        try viewer.waitForPicture()
        try viewer.waitForColorChange(on: desktop)
        let isTried = way.query.isEmpty && way.claimsCard
        if isTried {
            // A worker has drawn a test picture, too slowly without a graphics card, and the page remembers that.
            try viewer.page.until(
                "JSON.parse(localStorage['heliograph.picture'] ?? 'null')?.isFaster === false", seconds: 30)
        }
        #expect(try viewer.page.evaluate("workers.length", as: Int.self) == (isTried ? 1 : 0))
        #expect(try viewer.page.evaluate("\(Self.canvas).hidden", as: Bool.self))
        #expect(try viewer.page.evaluate("'mode' in \(Self.canvas).dataset", as: Bool.self) == false)
        let problems = try viewer.page.problems()
        #expect(problems == [])
    }

    private static let sizes = [
        PixelSize(width: 640, height: 480), PixelSize(width: 1280, height: 720), PixelSize(width: 1920, height: 1080),
    ]

    @Test(
        "colors are the screen's, within 3 of 255, by the page's own decoder and by the browser's",
        arguments: [(Browser.Kind.chromium, true), (.chromium, false), (.firefox, true), (.firefox, false)], sizes)
    func colors(way: (kind: Browser.Kind, isOwn: Bool), size: PixelSize) throws {
        let desktop = try WebDesktop(size)
        let colors: [UInt32] = [
            0xFFFFFF, 0xC00000, 0x00A000, 0x0000C0, 0xC0C000, 0x00A0A0, 0xA000A0, 0x202020, 0x808080, 0xE0A060,
        ]
        let (columns, side) = (5, size.height / 4)
        let rects = colors.indices.map { i in
            PixelRect(
                x: i % columns * size.width / columns + 8, y: (1 + i / columns * 2) * size.height / 5, width: side / 2,
                height: side)
        }
        desktop.screen.fill(
            [(0x404040, PixelRect(x: 0, y: 0, width: size.width, height: size.height))]
                + zip(colors, rects).map { (color: $0, rect: $1) })
        let browser = try Browser(way.kind)
        let viewer: WebViewer
        if way.isOwn {
            viewer = try Self.viewer(desktop, browser)
        } else {
            viewer = WebViewer(try browser.page(), of: desktop.size)
            try viewer.page.open(try desktop.newLink().replacing("/#", with: "/?picture=video#"))
            try viewer.waitForPicture()
        }
        for (color, rect) in zip(colors, rects) {
            try Self.waitToSee(color, x: rect.x + rect.width / 2, y: rect.y + rect.height / 2, viewer)
        }
        let problems = try viewer.page.problems()
        #expect(problems == [])
    }

    @Test(
        "what changes is seen, and the browser's own decoder has echoes: as many, and nothing to complain of",
        arguments: [Browser.Kind.chromium, .firefox])
    func echoes(kind: Browser.Kind) throws {
        let desktop = try WebDesktop()
        let browser = try Browser(kind)
        let viewer = try Self.viewer(desktop, browser)
        let page = viewer.page
        try Self.waitToSeeChange(viewer, on: desktop)
        struct Received: Decodable {
            var framesDecoded, framesReceived, pliCount: Int
        }
        let script = """
            received().then(({framesDecoded = 0, framesReceived = 0, pliCount = 0}) =>
                ({framesDecoded, framesReceived, pliCount}))
            """
        let before: Received = try page.evaluate(script)
        for _ in 0..<10 { try Self.waitToSeeChange(viewer, on: desktop) }
        // The last picture may be in transit to the browser's decoder.
        try page.until("(await received()).framesDecoded >= \(before.framesDecoded + 10)")
        let after: Received = try page.evaluate(script)
        #expect(after.pliCount == before.pliCount)
        #expect(after.framesReceived - before.framesReceived <= after.framesDecoded - before.framesDecoded + 2)
        #expect(try page.evaluate("received().then(({frameWidth}) => frameWidth)", as: Int.self) == 16)
        #expect(try page.evaluate("document.querySelector('#picture').srcObject === null", as: Bool.self))
        #expect(try page.evaluate("blanks", as: Int.self) == 0)
        let problems = try page.problems()
        #expect(problems == [])
    }

    /// The sums of the worker's reports since the test started listening.
    private struct Told: Decodable {
        var isOrdered: Bool
        var lost, repairs, keys, errors: Int
    }

    @Test("with three of ten packets lost each picture that is shown is right, and stays the page's own")
    func losses() throws {
        // Sound is negotiated inside the session, where nobody rewrites the candidates: it would bypass the path.
        let desktop = try WebDesktop(share: ["--sound", "off"])
        let route = try NarrowRoute(NarrowPath.link(.megabits(10)), to: desktop)
        let browser = try Browser()
        let viewer = WebViewer(try browser.page(), of: desktop.size)
        let page = viewer.page
        try page.before(Self.eyes)
        try page.open(route.link(code: try desktop.newCode()).replacing("/#", with: "/?picture=own#"))
        try Self.waitForMode("own", page)
        try page.run(
            """
            globalThis.told = {isOrdered: false, lost: 0, repairs: 0, keys: 0, errors: 0};
            globalThis.reports = 0;
            workers[0].addEventListener("message", ({data}) => {
                if (data.type !== "statistics") return;
                reports++;
                told.isOrdered = data.isOrdered;
                for (const name of ["lost", "repairs", "keys"]) told[name] += data[name];
                told.errors = Math.max(told.errors, data.errors);
            });
            """)
        let moving = try MovingPicture(on: desktop.screen, desktop.size)
        route.path.change(to: NarrowPath.link(.megabits(10), loss: 0.3))
        try page.until("reports >= 10", seconds: 60)
        route.path.change(to: NarrowPath.link(.megabits(10)))
        moving.stop()
        // The player's window disappears with a delay, and leaves black.
        let (strip, place) = MovingPicture.strip(of: desktop.size)
        try #require(
            try desktop.screen.wait {
                let shown = try desktop.screen.screenshot(strip, at: place).bgrx
                return shown.indices.allSatisfy { $0 % 4 == 3 || shown[$0] == 0 }
            })
        // Each picture is coded by its difference from the one before, so errors would persist.
        for _ in 0..<5 {
            let color = desktop.nextColor()
            let (width, height) = (desktop.size.width, desktop.size.height)
            desktop.screen.fill([(color, PixelRect(x: 0, y: 0, width: width, height: height))])
            for x in [20, width / 2, width - 20] {
                for y in [20, height / 2, height - 20] { try Self.waitToSee(color, x: x, y: y, viewer) }
            }
        }
        #expect(try page.evaluate("\(Self.canvas).dataset.mode", as: String.self) == "own")
        #expect(try page.evaluate("blanks", as: Int.self) == 0)
        let told: Told = try page.evaluate("told")
        #expect(told.errors == 0)
        // Chromium lets the page ask for the dependency descriptor.
        #expect(told.isOrdered)
        print("own picture, 30 % lost: \(told.lost) losses, \(told.repairs) repair pictures, \(told.keys) keyframes")
        let problems = try page.problems()
        #expect(problems == [])
    }

    @Test("a reload has it again, and a click lands where it points")
    func reload() throws {
        let desktop = try WebDesktop()
        let client = try XClient(desktop.screen, desktop.size)
        let browser = try Browser()
        let viewer = try Self.viewer(desktop, browser)
        try viewer.page.until("sessionStorage.length > 0")
        try viewer.page.reload()
        try Self.waitForMode("own", viewer.page)
        try viewer.waitForControl()
        try viewer.click(x: 101, y: 151)
        try client.expect([
            .button(1, isDown: true, x: 101, y: 151), .button(1, isDown: false, x: 101, y: 151),
        ])
        let problems = try viewer.page.problems()
        #expect(problems == [])
    }

    @Test("a picture of another size has its place and its colors", arguments: [Browser.Kind.chromium, .firefox])
    func resize(kind: Browser.Kind) throws {
        let both = PixelSize(width: 1040, height: 480)
        let desktop = try WebDesktop(both)
        let (left, right): (UInt32, UInt32) = (0x2040A0, 0xA04020)
        desktop.screen.fill([
            (left, PixelRect(x: 0, y: 0, width: 640, height: 480)),
            (right, PixelRect(x: 640, y: 0, width: 400, height: 480)),
        ])
        try desktop.screen.run("xrandr", "--setmonitor", "left", "640/160x480/120+0+0", "screen")
        try desktop.screen.run("xrandr", "--setmonitor", "right", "400/100x300/75+640+0", "none")
        try desktop.host.line(with: "Monitors: left (640x480), right (400x300).")
        let browser = try Browser(kind)
        let viewer = try Self.viewer(desktop, browser)
        let page = viewer.page
        for (row, size, color) in [(2, "400x300", right), (1, "640x480", left), (2, "400x300", right)] {
            try viewer.openPanel("monitors")
            try page.click(on: "#monitors-list li:nth-child(\(row)) button")
            try page.until("\(Self.canvas).dataset.size === '\(size)'")
            try Self.waitToSee(color, x: both.width / 2, y: both.height / 2, viewer)
            try page.until(
                """
                (() => {
                    const [width, height] = '\(size)'.split('x'), box = \(Self.canvas).getBoundingClientRect();
                    return box.width > 0 && Math.abs(box.width / box.height - width / height) < 0.02;
                })()
                """)
        }
        #expect(try page.evaluate("\(Self.canvas).dataset.mode", as: String.self) == "own")
        #expect(try page.evaluate("blanks", as: Int.self) == 0)
        let problems = try page.problems()
        #expect(problems == [])
    }

    /// A non-existent acceleration preference, which makes the decoder fail.
    private static let breakDecoder = "workers[0].postMessage({type: 'acceleration', acceleration: 'nonsense'})"

    @Test("a decoder that fails goes on after a keyframe; one that fails again and again gives way to the browser's")
    func failing() throws {
        let desktop = try WebDesktop()
        let browser = try Browser()
        let viewer = try Self.viewer(desktop, browser)
        let page = viewer.page
        try page.run(
            """
            globalThis.errors = 0;
            workers[0].addEventListener("message", ({data}) => { errors = Math.max(errors, data.errors ?? 0); });
            """)
        // The decoder fails twice, and decoding then continues with another kind of decoder.
        try page.run(Self.breakDecoder)
        try Self.waitToSeeChange(viewer, on: desktop)
        try page.until("errors === 2")
        #expect(try page.evaluate("\(Self.canvas).dataset.mode", as: String.self) == "own")
        // Within 10 s of those failures; otherwise starts over.
        let patience = Patience()
        while try page.evaluate("\(Self.canvas).dataset.mode", as: String.self) == "own", !patience.isOver {
            try page.run(Self.breakDecoder)
            // A frame, without which nothing is decoded.
            desktop.screen.fill([(desktop.nextColor(), PixelRect(x: 0, y: 0, width: 64, height: 64))])
            try? page.until("\(Self.canvas).dataset.mode === 'video'", seconds: 2)
        }
        try Self.waitForMode("video", page)
        try page.until("\(Self.canvas).hidden")
        try viewer.waitForColorChange(on: desktop)
        try Self.waitToSeeChange(viewer, on: desktop)
        #expect(try page.evaluate("blanks", as: Int.self) == 0)
        let problems = try page.problems()
        #expect(problems == [])
    }

    @Test(
        "where a piece is missing the browser shows the picture",
        arguments: [
            "delete globalThis.RTCRtpScriptTransform", "delete globalThis.VideoDecoder",
            "globalThis.Worker = class { constructor() { throw new Error('no'); } }",
        ])
    func missing(script: String) throws {
        let desktop = try WebDesktop()
        let browser = try Browser()
        let viewer = try Self.open(desktop, browser, before: script)
        try viewer.waitForPicture()
        try viewer.waitForColorChange(on: desktop)
        #expect(try viewer.page.evaluate("\(Self.canvas).hidden", as: Bool.self))
        let problems = try viewer.page.problems()
        #expect(problems == [])
    }

    @Test("a worker that is gone takes the session with it, and the next one is the browser's")
    func died() throws {
        let desktop = try WebDesktop()
        let browser = try Browser()
        let viewer = try Self.viewer(desktop, browser)
        try viewer.page.until("sessionStorage.length > 0")
        try viewer.page.run("workers[0].terminate()")
        try Self.waitForMode("none", viewer.page)
        try viewer.waitForPicture()
        try viewer.page.until("\(Self.canvas).hidden")
        try viewer.waitForColorChange(on: desktop)
    }

    @Test("a tab that was hidden shows what has changed, at once and after a while", arguments: [false, true])
    func hidden(isLong: Bool) throws {
        let desktop = try WebDesktop()
        let browser = try Browser()
        let viewer = try Self.viewer(desktop, browser, context: "person")
        try Self.waitToSeeChange(viewer, on: desktop)
        let tab = try browser.tab(over: "person")
        try viewer.page.until("document.hidden")
        // After 2 s the host stops sending pictures.
        if isLong { try viewer.page.until("new Promise((tell) => setTimeout(() => tell(true), 2500))") }
        let color = desktop.nextColor()
        desktop.screen.fill([(color, PixelRect(x: 0, y: 0, width: 800, height: 600))])
        if !isLong { try viewer.page.until("new Promise((tell) => setTimeout(() => tell(true), 300))") }
        try viewer.page.bringToFront()
        try viewer.page.until("!document.hidden")
        try Self.waitToSee(color, x: 400, y: 300, viewer)
        try Self.waitToSeeChange(viewer, on: desktop)
        #expect(try viewer.page.evaluate("\(Self.canvas).dataset.mode", as: String.self) == "own")
        let problems = try viewer.page.problems()
        #expect(problems == [])
        try tab.close()
    }
}
