import Foundation
import HelioCore
import HelioSimulation
import HelioTestPrograms
import Testing

/// `heliograph share` of a video and `heliograph view`, with a narrow path between them.
final class NarrowDesktop {
    /// What a second of the viewer's statistics says.
    struct Second: Decodable {
        var frames: Int
        var framesPerSecond: Double
        var lost: Int
        var recovered: Int
        /// What the host codes for.
        var codedMegabitsPerSecond: Double
        /// `udp` or `tcp`.
        var transport: String?
    }

    static let size = SharingTests.small

    let desktop: SharedDesktop
    let path: NarrowPath
    let video: MovingPicture
    private let view: RunningProgram
    /// What of a second's statistics tells when it was.
    private struct Shown: Decodable {
        var time: Double
        var frames: Int
    }

    /// Returns when the viewer shows pictures.
    init(_ conditions: LinkConditions, seed: UInt64 = 1) throws {
        desktop = try SharedDesktop(Self.size)
        desktop.source.fill(SharingTests.patchwork(Self.size))
        video = try MovingPicture(on: desktop.source, Self.size)
        let link = try desktop.link
        let port = try #require(link.split(separator: "/").dropFirst().first?.split(separator: ":").last)
        path = try NarrowPath(conditions, seed: seed, to: try #require(UInt16(port)))
        // A line is a second.
        try desktop.watch(host: link.replacing("127.0.0.1", with: NarrowPath.address), statistics: ["--stats"])
        view = try #require(desktop.view)
    }

    /// Goes on for so long, by what the viewer says each second; that it goes on saying so is part of the test.
    ///
    /// - Parameter what: for the error: what goes on.
    /// - Returns: the last second.
    @discardableResult
    func pass(_ time: Duration, _ what: String) throws -> Second {
        try #require(try seconds(time, what).last)
    }

    /// Goes on for so long, as ``pass(_:_:)`` does.
    ///
    /// - Returns: every second that the viewer told of, at least one.
    func seconds(_ time: Duration, _ what: String) throws -> [Second] {
        let end = Instant.now + time
        var seconds: [Second] = []
        repeat {
            let line = try view.line("a second's statistics, for \(time) of \(what)", within: .seconds(20)) {
                $0.contains("framesPerSecond")
            }
            seconds.append(try JSONDecoder().decode(Second.self, from: Data(line.utf8)))
        } while Instant.now < end
        return seconds
    }

    /// The seconds after which the viewer first said that it had shown a picture. It says so at once.
    var firstPicture: Double? {
        view.text.split(separator: "\n").lazy
            .compactMap { try? JSONDecoder().decode(Shown.self, from: Data($0.utf8)) }.first { $0.frames > 0 }?.time
    }

    /// Waits until both programs have said so; what one has said that nobody has read yet counts.
    func haveSaid(_ words: String) throws {
        for program in [view, desktop.share] where !program.text.contains(words) {
            try program.line(with: words, within: .seconds(5))
        }
    }

    /// What both programs said in the end.
    var words: String { "\(view.text.lastLines)\n\(desktop.share.text.lastLines)" }
}
