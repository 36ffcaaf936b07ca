import Foundation
import HelioCore
import HelioRelay
import HelioRelayDriver
import HelioTestLanes
import HelioTestPrograms
import Testing

/// A simulated broadcast extension within its memory limit (rows 81, 84, 161 and 162).
@Suite("The memory of an extension", .serialized, .tags(.quiet))
struct ExtensionMemoryTests {
    /// The test's duration; `HELIO_EXTENSION_SECONDS=1800` runs the half hour of the budget.
    private static let seconds = ProcessInfo.processInfo.environment["HELIO_EXTENSION_SECONDS"].flatMap(Int.init) ?? 6

    private static func run(_ arguments: [String]) throws -> Int {
        let program = try RunningProgram(
            RunningProgram.built("helio-extension"), arguments + ["--seconds", "\(seconds)", "--turn-every", "2"],
            environment: [:])
        let line = try program.line(with: "private memory at most", within: .seconds(seconds + 60))
        print(line)
        let number = line.split(separator: " ").dropLast().last.flatMap { Int($0) }
        return try #require(number)
    }

    @Test("scaled to 720p it stays within 40 MB, at every change of orientation, and every picture is relayed")
    func scaled() throws {
        let folder = SocketFolder()
        let app = EventLog<Bool>()
        let server = try RelayServer(path: folder.socket) { event in
            switch event {
            case .picture: app.add(true)
            case .left: app.add(false)
            default: break
            }
        }
        let peak = try Self.run(["--socket", folder.socket])
        #expect((1000...40 * 1024).contains(peak))
        #expect(app.wait { $0.last == false })
        let statistics = server.statistics
        #expect(statistics.pictures > Self.seconds * 60 * 9 / 10 && statistics.drops.total == 0)
        server.stop()
    }

    @Test("without an app it takes no more") func alone() throws {
        #expect(try Self.run([]) <= 40 * 1024)
    }

    @Test("unscaled it breaks the 50 MB") func unscaled() throws {
        #expect(try Self.run(["--unscaled"]) > 50 * 1024)
    }
}
