import HelioCore
import HelioTestPrograms

/// A browser's page in the viewer's home that was opened by a link of the host in the other one.
final class FarPage {
    let viewer: WebViewer
    private let host: FarHost
    private let began: Instant

    /// Opens the rendezvous' page by a new link, as somebody whose browser has never been there.
    init(_ browser: Browser, to host: FarHost) throws {
        self.host = host
        viewer = WebViewer(try browser.page(), of: FarHost.size)
        let link = try host.newPageLink()
        began = .now
        try viewer.page.open(link)
    }

    /// Waits until the page shows the host's screen, which has one colour; returns the time since the page was opened,
    /// in seconds.
    func timeToPicture(_ color: UInt32) throws -> Double {
        try viewer.waitForPicture()
        return try time(of: color, since: began)
    }

    /// Fills the host's screen with a colour that it does not have; returns the seconds until the page shows it.
    func timeOfGlass(_ color: UInt32) throws -> Double {
        let began = Instant.now
        host.paint(color)
        return try time(of: color, since: began)
    }

    private func time(of color: UInt32, since began: Instant) throws -> Double {
        try viewer.waitForColor(color, x: FarHost.size.width / 4, y: FarHost.size.height / 3)
        return (Instant.now - began).inSeconds
    }

    /// Draws on the host's screen until pictures come by one way for a while (`FarHost.way`).
    func way(_ way: TwoHomes.Way, within limit: Duration = .seconds(20)) throws -> TwoHomes.Way {
        var shown = try viewer.frames
        return try host.way(way, Patience(limit)) {
            // None comes for a moment after a way was blocked.
            try? viewer.page.until("\(WebViewer.frames) > \(shown)", seconds: 0.5)
            shown = try viewer.frames
        }.0
    }

    /// Blocks the direct way at the viewer's router until pictures come by TURN; returns the seconds from the end of that
    /// until they come directly.
    func timeOfReturn(after kind: RouterKind) throws -> Double {
        try host.world.setRouter(kind, of: .viewer)
        _ = try way(.relayed)
        let lifted = Instant.now
        try host.world.setRouter(.portRestricted, of: .viewer)
        _ = try way(.direct)
        return (Instant.now - lifted).inSeconds
    }

    /// Closes the page, of which the host learns at once.
    func close() throws { try viewer.page.close() }
}
