import Foundation
import HelioCore
import HelioTestLanes
import HelioTestPrograms
import Testing

/// Tests of the browser driver, on a page that reports its input.
@Suite("In a browser: the driver", .serialized, .timeLimit(.minutes(2)), .tags(.quiet))
final class BrowserTests {
    private static let html = """
        <!doctype html><body style="margin: 0"><textarea id="field" style="width: 300px; height: 100px"></textarea>
        <canvas id="canvas" width="20" height="10"></canvas>
        <script>
        globalThis.log = [];
        const tell = (event) => log.push([event.type, event.code ?? event.button ?? "", event.clientX ?? ""].join(" "));
        for (const name of ["keydown", "keyup", "mousedown", "mouseup", "wheel", "touchstart", "touchend", "blur",
            "compositionend"]) addEventListener(name, tell);
        const context = document.querySelector("canvas").getContext("2d");
        context.fillStyle = "#C08040";
        context.fillRect(0, 0, 20, 10);
        </script>
        """
    /// The page's file; a `data:` page can't be reloaded.
    private let file = FileManager.default.temporaryDirectory.appending(path: "heliograph-\(UUID().uuidString).html")
    private var url: String { file.absoluteString }

    init() throws { try Data(Self.html.utf8).write(to: file) }

    deinit { try? FileManager.default.removeItem(at: file) }

    private static func log(_ page: Page) throws -> [String] { try page.evaluate("log.splice(0)") }

    @Test("mouse, keys, text and fingers arrive in the page as a person's")
    func hands() throws {
        let browser = try Browser()
        let page = try browser.page(PageLook(width: 640, height: 480, touch: true))
        try page.open(url)
        try page.click(on: "#field")
        #expect(try Self.log(page).count == 2)
        try page.click(Place(x: 30, y: 20))
        #expect(try Self.log(page) == ["mousedown 0 30", "mouseup 0 30"])
        try page.strike(.control, .letter("k"))
        #expect(
            try Self.log(page) == [
                "keydown ControlLeft ", "keydown KeyK ", "keyup KeyK ", "keyup ControlLeft ",
            ])
        try page.strike(.letter("k"))
        try page.insert("é😀")
        try page.compose("に")
        try page.insert("日本")
        #expect(try page.evaluate("document.querySelector('#field').value", as: String.self) == "ké😀日本")
        #expect(try Self.log(page) == ["keydown KeyK ", "keyup KeyK ", "compositionend  "])
        try page.wheel(Place(x: 100, y: 300), dy: 120)
        #expect(try page.until("log[0]", as: String.self) == "wheel 0 100")
        _ = try Self.log(page)
        try page.touch(.down, (1, Place(x: 50, y: 300)), (2, Place(x: 90, y: 300)))
        try page.touch(.up, (1, Place(x: 50, y: 300)), (2, Place(x: 90, y: 300)))
        #expect(try Self.log(page).filter { $0.hasPrefix("touchstart") }.count > 0)
        #expect(try page.problems() == [])
    }

    @Test("a press that finds something else than what it was for is none, and is made again where that is then")
    func aim() throws {
        let page = try Browser().page()
        try page.open(url)
        try page.run(
            """
            document.body.innerHTML = "<button id='wanted' style='position: fixed; top: 50px'>wanted</button>";
            globalThis.hits = [];
            for (const type of ["pointerdown", "mousedown", "pointerup", "mouseup", "click"])
                addEventListener(type, ({type, target}) => hits.push(`${type} ${target.id || target.tagName}`));
            // It is on its way, and then gone from where it was as soon as the mouse comes.
            wanted.animate([{left: "100px"}, {left: "400px"}], {duration: 200, fill: "forwards"});
            addEventListener("mousemove", () => wanted.style.setProperty("top", "200px"), {once: true});
            """)
        #expect(try page.place(of: "#wanted").x > 400)
        try page.click(on: "#wanted")
        try page.click(Place(x: 10, y: 300))
        let events = ["pointerdown", "mousedown", "pointerup", "mouseup", "click"]
        #expect(
            try page.evaluate("hits.splice(0)") == events.map { $0 + " wanted" } + events.map { $0 + " HTML" })
    }

    @Test("fingers keep their own time, whatever the machine takes for them")
    func fingers() throws {
        let page = try Browser().page(PageLook(width: 640, height: 480, touch: true))
        try page.open(url)
        try page.run(
            """
            globalThis.times = [];
            for (const type of ["pointerdown", "pointerup"])
                addEventListener(type, ({timeStamp}) => times.push(timeStamp, performance.now()));
            """)
        let place = Place(x: 100, y: 300)
        for _ in 0..<2 {
            page.beginGesture()
            try page.touch(.down, (1, place))
            try page.touch(.up, (1, place))
        }
        let times: [Double] = try page.evaluate("times")
        try #require(times.count == 8)
        let (events, clock) = (stride(from: 0, to: 8, by: 2).map { times[$0] }, times[7])
        for (first, second) in [(0, 1), (2, 3)] { #expect(abs(events[second] - events[first] - 10) < 2) }
        #expect(events[2] - events[1] > 900 && events[0] > clock)
    }

    @Test("what a page shows is seen pixel by pixel")
    func eyes() throws {
        let browser = try Browser()
        let page = try browser.page(PageLook(width: 400, height: 300, scale: 2, dark: true))
        try page.open(url)
        let canvas = try page.picture("#canvas")
        #expect(canvas.size == PixelSize(width: 20, height: 10))
        #expect(canvas.color(x: 19, y: 9) == (0xC0, 0x80, 0x40))
        let place = try page.place(of: "#canvas")
        let shot = try page.screenshot(around: place)
        #expect(shot.size == PixelSize(width: 8, height: 8))
        #expect(shot.color(x: 4, y: 4) == (0xC0, 0x80, 0x40))
        #expect(try page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches"))
    }

    @Test("what is waited for may come with the page's successor, what never comes fails, and complaints are kept")
    func waiting() throws {
        let browser = try Browser()
        let page = try browser.page(context: "person")
        try page.open(url)
        try page.run("globalThis.isOld = true; setTimeout(() => location.reload(), 100); 0")
        try page.until("!globalThis.isOld && globalThis.log !== undefined")
        #expect(throws: BrowserError.self) { try page.until("globalThis.never", seconds: 0.2) }
        #expect(throws: BrowserError.self) { try page.run("nothing.at.all") }
        try page.run("setTimeout(() => { throw new Error('oh') }); console.error('no'); 0")
        try page.until("new Promise((done) => setTimeout(() => done(true), 20))")
        let problems = try page.problems()
        #expect(problems.count == 2 && problems.contains("console: no") && problems.contains { $0.contains("oh") })
        _ = try browser.tab(over: "person")
        try page.until("log.some((event) => event.startsWith('blur'))")
        browser.kill()
        #expect(throws: (any Error).self) { try page.run("0") }
    }
}
