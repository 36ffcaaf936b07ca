import Foundation
import HelioCore
import HelioTestLanes
import HelioUnattended
import Testing

@Suite("Programs that a service runs", .timeLimit(.minutes(1)), .tags(.quiet))
struct ChildProgramTests {
    /// Runs a shell script to its end; returns the exit status.
    ///
    /// - Parameter started: called with the program once it runs.
    private static func run(
        _ script: String, environment: [String: String] = ["PATH": "/usr/bin:/bin"],
        started: (ChildProgram) -> Void = { _ in }
    ) async throws -> Int32 {
        let (ends, feed) = AsyncStream.makeStream(of: Int32.self)
        let child = try ChildProgram.start("/bin/sh", ["-c", script], environment: environment) { feed.yield($0) }
        started(child)
        return try #require(await ends.first { _ in true })
    }

    @Test("its exit status is told, or the signal that has ended it; its variables and input are those that are given")
    func status() async throws {
        #expect(try await Self.run("exit 0") == 0)
        #expect(try await Self.run("exit 7") == 7)
        #expect(try await Self.run("kill -KILL $$") == 137)
        #expect(try await Self.run("[ \"$A\" = 'b c' ] && [ -z \"$HOME\" ]", environment: ["A": "b c"]) == 0)
        #expect(try await Self.run("! read line") == 0, "there is no input")
    }

    @Test("no signal is blocked or ignored in it, whatever is in this process")
    func clean() async throws {
        let earlier = signal(SIGTERM, SIG_IGN)
        defer { signal(SIGTERM, earlier) }
        // A shell changes its own while it waits; the highest of these are the C library's.
        let looking = "/^Sig(Blk|Ign):/ && $2 !~ /0000000$/ { bad = 1; print } END { exit bad }"
        #expect(try await Self.run("exec awk '\(looking)' /proc/self/status") == 0)
    }

    @Test("it is asked to end, or ended; once it has ended, both do nothing")
    func ends() async throws {
        #expect(try await Self.run("exec sleep 1000", started: { $0.end() }) == 143)
        #expect(try await Self.run("trap '' TERM; while :; do sleep 0.1; done", started: { $0.kill() }) == 137)
        let (ends, feed) = AsyncStream.makeStream(of: Int32.self)
        let child = try ChildProgram.start("/bin/true", [], environment: [:]) { feed.yield($0) }
        #expect(await ends.first { _ in true } == 0)
        child.end()
        child.kill()
    }

    @Test("a program that is not there is an error in words")
    func absent() {
        let error = #expect(throws: HelioError.self) {
            _ = try ChildProgram.start("/nonexistent/program", [], environment: [:]) { _ in }
        }
        #expect(error?.message == "/nonexistent/program can't be run: No such file or directory.")
    }
}
