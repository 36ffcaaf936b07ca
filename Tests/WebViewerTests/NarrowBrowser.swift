import HelioCore
import HelioSimulation
import HelioTestPrograms

/// A browser that watches a moving screen over a path which is as narrow and lossy as it is told to be.
final class NarrowBrowser {
    let route: NarrowRoute
    private let desktop: WebDesktop
    private let video: MovingPicture
    private let browser: Browser
    private let page: Page

    /// Returns once the browser shows a picture.
    init(_ conditions: LinkConditions) throws {
        // Sound is agreed on inside the session, where nobody changes the candidates: the path would be gone round.
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

    /// Lets so much time pass, by what the host says each second.
    func pass(_ time: Duration, _ what: String) throws {
        let over = NarrowPath.now + time
        while NarrowPath.now < over {
            try desktop.host.line("a second's statistics of a browser over \(what)", within: .seconds(20)) {
                $0.contains("\"isBrowser\":true")
            }
        }
    }

    /// How many pictures were shown since the last call, and the longest time without one, in milliseconds.
    func takeShown() throws -> (count: Int, gap: Double) {
        let shown: [Double] = try page.evaluate("[...shownAt.splice(0, shownAt.length - 1), performance.now()]")
        return (shown.count, zip(shown, shown.dropFirst()).map { $1 - $0 }.max() ?? .infinity)
    }

    func stop() { video.stop() }
}
