import HelioCore
import HelioSimulation
import HelioTestPrograms

/// A browser that watches a moving screen over a path with settable rate and loss.
final class NarrowBrowser {
    /// The pictures shown within a time.
    struct Shown {
        /// The number of pictures a second.
        var rate: Double
        /// The longest gap between pictures, in milliseconds.
        var gap: Double
    }

    let route: NarrowRoute
    private let desktop: WebDesktop
    private let video: MovingPicture
    private let browser: Browser
    private let page: Page

    /// Returns once the browser shows a picture.
    init(_ conditions: LinkConditions) throws {
        // Sound is negotiated inside the session, where nobody rewrites the candidates: it would bypass the path.
        desktop = try WebDesktop(share: ["--stats", "--sound", "off"])
        video = try MovingPicture(on: desktop.screen, desktop.size)
        route = try NarrowRoute(conditions, to: desktop)
        browser = try Browser()
        page = try browser.page()
        try page.open(route.link(code: try desktop.newCode()))
        try WebViewer(page, of: desktop.size).waitForPicture()
        try page.run(
            """
            globalThis.shownAt = [];
            const video = document.querySelector('#picture');
            const count = () => { shownAt.push(performance.now()); video.requestVideoFrameCallback(count); };
            video.requestVideoFrameCallback(count);
            """)
    }

    var ledger: PathLedger { route.path.ledger }

    /// Waits for a time, in which the host must print its statistics each second.
    func pass(_ time: Duration, _ what: String) throws {
        let over = Instant.now + time
        while Instant.now < over {
            try desktop.host.line("a second's statistics of a browser over \(what)", within: .seconds(20)) {
                $0.contains("\"isBrowser\":true")
            }
        }
    }

    /// Returns the pictures shown since the last call.
    func takeShown() throws -> Shown {
        // The last picture is kept as the first one of the next call.
        let script = "[...shownAt.splice(0, shownAt.length - 1), ...shownAt, performance.now()]"
        let times: [Double] = try page.evaluate(script)
        let gap = zip(times, times.dropFirst()).map { $1 - $0 }.max() ?? .infinity
        let time = (times.last ?? 0) - (times.first ?? 0)
        return Shown(rate: time > 0 ? Double(times.count - 2) / time * 1000 : 0, gap: gap)
    }

    func stop() { video.stop() }
}
