import Foundation
import HelioBroadcast
import HelioCore
import HelioHeartbeat
import HelioTestLanes
import HelioTestPrograms
import Synchronization
import Testing

/// A process with a heartbeat, and the events of its watcher, also after the process is killed.
@Suite(.tags(.quiet))
final class HeartbeatTests {
    /// The events that a watcher has reported, with their times.
    private final class Events: Sendable {
        private let state = Mutex<[(HeartbeatEvent, ContinuousClock.Instant)]>([])

        func add(_ event: HeartbeatEvent) { state.withLock { $0.append((event, .now)) } }
        var all: [HeartbeatEvent] { state.withLock { $0.map(\.0) } }
        var last: ContinuousClock.Instant? { state.withLock { $0.last?.1 } }
    }

    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
        "heliograph-\(UUID().uuidString)")
    private let events = Events()

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Shorter times than the defaults, for tests that don't depend on them.
    private static var short: HeartbeatSettings {
        var settings = HeartbeatSettings()
        settings.interval = .milliseconds(100)
        settings.silence = .milliseconds(1000)
        settings.readInterval = .milliseconds(20)
        return settings
    }

    /// - Parameter input: the program's standard input; the program exits when it is closed.
    private func start(_ interval: Int?, input: Pipe) throws -> RunningProgram {
        let arguments = [folder.path] + (interval.map { ["\($0)"] } ?? [])
        let program = try RunningProgram(
            RunningProgram.built("HeartbeatProgram"), arguments, environment: [:],
            standardInput: input.fileHandleForReading)
        try program.line(with: "It beats.")
        return program
    }

    private func watch(_ settings: HeartbeatSettings) throws -> HeartbeatWatcher {
        try HeartbeatWatcher(in: folder.path, settings: settings) { [events] in events.add($0) }
    }

    private var record: HeartbeatRecord? { try? HeartbeatFile(in: folder.path).read() }

    /// Rows 166 and 167 with their default times: after a kill right behind a beat, the warning follows within 15 to 20
    /// s.
    @Test func killed() async throws {
        let input = Pipe()
        let watcher = try watch(HeartbeatSettings())
        let program = try start(nil, input: input)
        // The second beat follows after 5 s.
        try await eventually("a second beat", within: .seconds(10), sees: "\(String(describing: record))") {
            record?.sequence == 1
        }
        let beat = ContinuousClock.now
        program.kill(SIGKILL)
        try await eventually("the warning", within: .seconds(25), sees: "\(events.all)") {
            events.all == [.running, .crashed]
        }
        let wait = try #require(events.last) - beat
        #expect(wait >= .milliseconds(14000))
        #expect(wait <= .seconds(20))
        #expect(events.all.last?.warning != nil)
        watcher.close()
        withExtendedLifetime(input) {}
    }

    /// A regular exit causes no warning, however long one waits.
    @Test func endsInGoodOrder() async throws {
        let input = Pipe()
        let program = try start(100, input: input)
        let watcher = try watch(Self.short)
        try await eventually("it beats", sees: "\(events.all)") { events.all == [.running] }
        try input.fileHandleForWriting.write(contentsOf: Data("end\n".utf8))
        #expect(program.waitUntilExit() == 0)
        #expect(record?.isEnd == true)
        try await eventually("the end", sees: "\(events.all)") { events.all == [.running, .ended] }
        // The file holds the beats of another process. After three times the silence that would count: still no
        // warning.
        try await Task.sleep(for: .seconds(3))
        #expect(events.all == [.running, .ended])
        let another = Pipe()
        let next = try start(100, input: another)
        try await eventually("the next one beats", sees: "\(events.all)") {
            events.all == [.running, .ended, .running]
        }
        next.kill(SIGKILL)
        try await eventually("the warning", sees: "\(events.all)") {
            events.all == [.running, .ended, .running, .crashed]
        }
        watcher.close()
        withExtendedLifetime((input, another)) {}
    }

    /// A process that was killed before the watcher started is reported, and so is one that hangs and resumes.
    @Test func comesLater() async throws {
        let input = Pipe()
        let program = try start(100, input: input)
        program.kill(SIGSTOP)
        let watcher = try watch(Self.short)
        try await eventually("the warning", sees: "\(events.all)") { events.all.last == .crashed }
        program.kill(SIGCONT)
        try await eventually("it goes on", sees: "\(events.all)") { events.all.last == .running }
        watcher.close()
        withExtendedLifetime(input) {}
    }

    /// A folder that others may write to is rejected: its beats prove nothing.
    @Test func foldersOfOthers() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder.path)
        #expect(throws: HelioError.self) { try HeartbeatSender(in: folder.path) }
        #expect(throws: HelioError.self) { try HeartbeatWatcher(in: folder.path) { _ in } }
        #expect(throws: HelioError.self) { try HeartbeatSender(in: folder.path + "/a/b") }
    }

    /// An invalid record, a link, or a folder in place of the file is ignored, and replaced where possible.
    @Test func files() throws {
        let file = try HeartbeatFile(in: folder.path)
        #expect(file.read() == nil)
        let record = HeartbeatRecord(run: 1, sequence: 2, milliseconds: 3, isEnd: false)
        try file.write(record)
        #expect(file.read() == record)
        let path = folder.appendingPathComponent("heartbeat")
        let attributes = try FileManager.default.attributesOfItem(atPath: path.path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        try Data("junk".utf8).write(to: path)
        #expect(file.read() == nil)
        try Data(repeating: 0x41, count: 1 << 20).write(to: path)
        #expect(file.read() == nil)
        try FileManager.default.removeItem(at: path)
        try FileManager.default.createSymbolicLink(
            at: path, withDestinationURL: folder.appendingPathComponent("elsewhere"))
        #expect(file.read() == nil)
        // Half of a record, left by a process that was killed while writing.
        try Data("helio".utf8).write(to: folder.appendingPathComponent("heartbeat.new"))
        try file.write(record)
        #expect(file.read() == record)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["heartbeat"])
    }
}
