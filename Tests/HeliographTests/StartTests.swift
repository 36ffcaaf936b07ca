import Foundation
import HelioCore
import HelioTestLanes
import HelioTestPrograms
import Testing

@testable import HelioSharing
@testable import Heliograph

/// If any part of a source can't start, nothing remains of the parts that had started before it.
@Suite("Starting to share", .serialized, .timeLimit(.minutes(1)), .tags(.quiet))
struct StartTests {
    /// A part that can't start, in starting order; or `nothing`, if the source starts and is stopped.
    enum Obstacle: CaseIterable {
        case nothing, microphone, recording, page, port, players, encoder
    }

    /// The numbers of threads and descriptors of this process.
    private struct Belongings: CustomStringConvertible {
        var threads: Int
        var descriptors: Int

        static var now: Belongings {
            let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
            let names = tasks.compactMap { try? String(contentsOfFile: "/proc/self/task/\($0)/comm", encoding: .utf8) }
            let descriptors = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
            // Excludes Swift's own threads, which run tasks.
            return Belongings(
                threads: names.filter { $0.hasPrefix("helio") || $0.hasPrefix("NIO") }.count,
                descriptors: descriptors ?? Int.max)
        }

        /// Keeps the smaller of each number.
        mutating func narrow(to other: Belongings) {
            threads = min(threads, other.threads)
            descriptors = min(descriptors, other.descriptors)
        }

        var description: String { "\(descriptors) descriptors and \(threads) threads" }
    }

    /// Options that enable every part that needs only this machine.
    private func options(in home: URL) -> MirrorSource.Options {
        var options = MirrorSource.Options()
        options.address = "127.0.0.1"
        options.port = 0
        options.home = home.appendingPathComponent("home").path
        options.files = FileOptions()
        options.files?.folder = home.appendingPathComponent("files").path
        options.recording = RecordingOptions(path: home.appendingPathComponent("recording.mp4").path)
        options.web = WebOptions()
        options.web?.port = 0
        options.players = PlayerOptions()
        options.players?.port = 0
        return options
    }

    private func withHome(_ body: (URL) async throws -> Void) async throws {
        let home = FileManager.default.temporaryDirectory.appendingPathComponent("heliograph-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: home) }
        try await body(home)
    }

    /// Runs a host whose ports are in use while `body` runs.
    private func withOther(_ body: (MirrorSource) async throws -> Void) async throws {
        try await withHome { home in
            var options = options(in: home)
            options.recording = nil
            let other = try await MirrorSource.start(options, on: FakeSource())
            do {
                try await body(other)
            } catch {
                await other.stop()
                throw error
            }
            await other.stop()
        }
    }

    private func port(of url: String?) throws -> Int { try #require(url.flatMap { URL(string: $0)?.port }) }

    @Test("a stopped source, and one of which a part can't start, leaves nothing: no thread, descriptor or file")
    func obstacles() async throws {
        try await withOther { other in
            try await withHome { home in
                // A first start leaves resources that belong to no source, such as the threads that Swift runs tasks
                // on.
                await (try MirrorSource.start(options(in: home), on: FakeSource())).stop()
                // Some descriptors are closed a moment later, so the smallest number counts. A leak shows in the second
                // round.
                var least = Belongings.now
                for obstacle in Obstacle.allCases + Obstacle.allCases {
                    var options = options(in: home)
                    var platform = FakeSource()
                    var code = HelioError.Code.systemFailed
                    switch obstacle {
                    case .nothing: options.recording = nil
                    case .microphone:
                        options.hearsViewers = true
                        code = .unsupported
                    case .recording:
                        options.recording?.path = home.appendingPathComponent("none/recording.mp4").path
                    case .page: options.web?.port = try port(of: other.webURL)
                    case .port: options.port = other.port
                    case .players: options.players?.port = try port(of: other.playerURL)
                    case .encoder:
                        platform.encodes = false
                        code = .encoderFailed
                    }
                    do {
                        await (try MirrorSource.start(options, on: platform)).stop()
                        #expect(obstacle == .nothing, "started")
                    } catch let error as HelioError {
                        #expect(obstacle != .nothing && error.code == code, "\(obstacle): \(error)")
                    }
                    try await eventually("all is as before \(obstacle)", sees: "\(Belongings.now), not \(least)") {
                        let now = Belongings.now
                        defer { least.narrow(to: now) }
                        return now.threads <= least.threads && now.descriptors <= least.descriptors
                    }
                    let left = try FileManager.default.contentsOfDirectory(atPath: home.path)
                    #expect(left == ["home"], "\(obstacle)")
                }
            }
        }
    }

    @Test("the objects of a stopped source are freed: those that serve it, and those that refer to these")
    func freed() async throws {
        try await withHome { home in
            weak var serving: Serving?
            weak var server: AnyObject?
            var source: MirrorSource? = try await MirrorSource.start(options(in: home), on: FakeSource())
            (serving, server) = (source?.serving, source?.serving.server)
            await source?.stop()
            source = nil
            try await eventually("all is freed", sees: "serving: \(serving != nil), server: \(server != nil)") {
                serving == nil && server == nil
            }
        }
    }

    @Test("an app's encoder is stopped where its source can't start, and once at the end of one that did")
    func app() async throws {
        try await withOther { other in
            try await withHome { home in
                for isTaken in [true, false] {
                    let encoder = SDKTests.FakeEncoder()
                    var options = options(in: home)
                    options.recording = nil
                    if isTaken { options.port = other.port }
                    do {
                        let source = try await MirrorSource.start(options, video: SDKTests.video, plugin: encoder)
                        await source.stop()
                        await source.stop()
                        #expect(!isTaken)
                    } catch {
                        #expect(isTaken, "\(error)")
                    }
                    #expect(encoder.diary.written == ["initialize 640", "stop"])
                }
            }
        }
    }
}
