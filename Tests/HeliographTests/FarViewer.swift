import Foundation
import HelioCore
import HelioTestPrograms

/// A viewer of a `FarDesktop`. Ends with this object.
final class FarViewer {
    /// The part of a line of statistics that tells of a link.
    private struct Line: Decodable {
        /// The kind of the link that pictures come by.
        var link: String?
    }

    let program: RunningProgram
    private let began: Instant
    private unowned let desktop: FarDesktop

    init(_ program: RunningProgram, of desktop: FarDesktop, began: Instant) {
        (self.program, self.desktop, self.began) = (program, desktop, began)
    }

    deinit { program.kill() }

    /// Ends it as a user does, so that the host knows at once.
    func stop() {
        program.kill(SIGTERM)
        _ = program.waitUntilExit()
    }

    /// Waits until the viewer shows the host's screen, which has one colour; returns the time since the viewer's start,
    /// in seconds.
    func timeToPicture(_ color: UInt32, within limit: Duration = .seconds(30)) throws -> Double {
        try wait(for: color, within: limit)
        return (Instant.now - began).inSeconds
    }

    /// Fills the host's screen with a colour that it does not have; returns the seconds until the viewer shows it.
    func timeOfGlass(_ color: UInt32) throws -> Double {
        let began = Instant.now
        desktop.host.paint(color)
        try wait(for: color, within: .seconds(10))
        return (Instant.now - began).inSeconds
    }

    /// Blocks the direct way at the viewer's router until pictures come by another one; returns the seconds from the
    /// end of that until they come directly.
    func timeOfReturn(after kind: RouterKind, by way: TwoHomes.Way) throws -> Double {
        try desktop.world.setRouter(kind, of: .viewer)
        _ = try self.way(way)
        let lifted = Instant.now
        try desktop.world.setRouter(.portRestricted, of: .viewer)
        _ = try self.way(.direct)
        return (Instant.now - lifted).inSeconds
    }

    private func wait(for color: UInt32, within limit: Duration) throws {
        let point = (x: FarHost.size.width / 4, y: FarHost.size.height / 3)
        let wanted = [16, 8, 0].map { Int(color >> $0 & 0xFF) }
        let isShown = try desktop.destination.wait(Patience(limit)) {
            let seen = try desktop.destination.screenshot(PixelSize(width: 1, height: 1), at: point).color(x: 0, y: 0)
            // The picture is coded in YUV.
            return zip(wanted, [seen.red, seen.green, seen.blue]).allSatisfy { abs($0 - $1) < 20 }
        }
        guard isShown else {
            throw RunningProgram.Ended(description: "no picture. The viewer: \(program.text.lastLines)")
        }
    }

    /// Draws on the host's screen until pictures come by one way for a while (`FarHost.way`). Returns that way, and what
    /// the statistics called it last, if they do.
    ///
    /// - Parameters:
    ///   - way: the awaited way; `nil` for any.
    func way(_ way: TwoHomes.Way? = nil, within limit: Duration = .seconds(20)) throws -> (TwoHomes.Way, String?) {
        let patience = Patience(limit)
        let (found, line) = try desktop.host.way(way, patience) { try program.line(with: "\"frames\"") }
        return (found, try told(found, from: line, within: patience))
    }

    /// Reads on from this line until the statistics name the way, as they are a little behind, or the time is over.
    /// Returns the name that they gave last.
    private func told(_ way: TwoHomes.Way, from line: String, within patience: Patience) throws -> String? {
        var link = try JSONDecoder().decode(Line.self, from: Data(line.utf8)).link
        while link != way.rawValue, !patience.isOver {
            desktop.host.stir()
            link = try JSONDecoder().decode(Line.self, from: Data(program.line(with: "\"frames\"").utf8)).link
        }
        return link
    }
}
