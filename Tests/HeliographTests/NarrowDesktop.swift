import Foundation
import HelioCore
import HelioSimulation
import HelioTestPrograms
import Testing

/// `heliograph share` of a video and `heliograph view`, over a narrow path.
final class NarrowDesktop {
    /// One second of the viewer's statistics.
    struct Second: Decodable {
        var frames: Int
        var framesPerSecond: Double
        var lost: Int
        var recovered: Int
        /// The host's target bitrate.
        var codedMegabitsPerSecond: Double
        /// The transport of media: `udp` or `tcp`.
        var transport: String?
    }

    static let size = SharingTests.small

    let desktop: SharedDesktop
    let path: NarrowPath
    let video: MovingPicture
    private let view: RunningProgram
    /// The time of a statistics line, and its number of frames.
    private struct Shown: Decodable {
        var time: Double
        var frames: Int
    }

    /// Returns once the viewer shows pictures.
    init(_ conditions: LinkConditions, seed: UInt64 = 1) throws {
        desktop = try SharedDesktop(Self.size)
        desktop.source.fill(SharingTests.patchwork(Self.size))
        video = try MovingPicture(on: desktop.source, Self.size)
        let link = try desktop.link
        let port = try #require(link.split(separator: "/").dropFirst().first?.split(separator: ":").last)
        path = try NarrowPath(conditions, seed: seed, to: try #require(UInt16(port)))
        // Each line of statistics covers a second.
        try desktop.watch(host: link.replacing("127.0.0.1", with: NarrowPath.address), statistics: ["--stats"])
        view = try #require(desktop.view)
    }

    /// Waits while the viewer prints its statistics each second; throws if it stops printing.
    ///
    /// - Parameter what: a description of the time for the error.
    /// - Returns: the statistics of the last second.
    @discardableResult
    func pass(_ time: Duration, _ what: String) throws -> Second {
        try #require(try seconds(time, what).last)
    }

    /// Waits like ``pass(_:_:)``.
    ///
    /// - Returns: the statistics of every second, at least one.
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

    /// The time in seconds of the first statistics line after a picture was shown, which is printed at once.
    var firstPicture: Double? {
        view.text.split(separator: "\n").lazy
            .compactMap { try? JSONDecoder().decode(Shown.self, from: Data($0.utf8)) }.first { $0.frames > 0 }?.time
    }

    /// Waits until both programs have printed a text; unread earlier output counts.
    func haveSaid(_ words: String) throws {
        for program in [view, desktop.share] where !program.text.contains(words) {
            try program.line(with: words, within: .seconds(5))
        }
    }

    /// The last lines of both programs.
    var words: String { "\(view.text.lastLines)\n\(desktop.share.text.lastLines)" }
}
