import Foundation
import HelioTestLanes
import Testing

@testable import HelioTestPrograms

/// A condition that never holds fails a test in time, with a description, and leaves no process running.
@Suite("Waiting within time", .timeLimit(.minutes(1)), .tags(.quiet))
struct PatienceTests {
    private static func shell(_ script: String) throws -> RunningProgram {
        try RunningProgram("/bin/sh", ["-c", script], environment: [:])
    }

    private static let soon = Duration.milliseconds(300)

    @Test("a program that talks on and never says it", arguments: ["while :; do echo other; done", "sleep 100"])
    func missingLine(script: String) throws {
        let program = try Self.shell(script)
        let error = try #require(throws: Patience.Exhausted.self) {
            try program.line(with: "the word", within: Self.soon)
        }
        #expect(error.description.contains("/bin/sh") && error.description.contains("'the word'"))
        #expect(error.description.count < 5000, "the last lines alone")
    }

    @Test("what it had said is told, and no secret of it")
    func told() throws {
        let program = try Self.shell("echo first; echo heliograph://127.0.0.1/a#c2VjcmV0c2VjcmV0; exec sleep 100")
        let error = try #require(throws: Patience.Exhausted.self) { try program.line(with: "x", within: Self.soon) }
        #expect(error.description.contains("first\nheliograph://127.0.0.1/a#..."))
        #expect(!error.description.contains("c2Vj"))
    }

    @Test("one that says more than a pipe holds, to nobody, goes on; what nobody read can be left out")
    func unread() throws {
        let input = Pipe()
        let program = try RunningProgram(
            "/bin/sh", ["-c", "seq 20000; echo end; read -r line; echo $line"], environment: [:],
            standardInput: input.fileHandleForReading)
        #expect(Patience().wait { program.text.hasSuffix("end\n") })
        #expect(try program.line() == "1")
        program.skipLines()
        try input.fileHandleForWriting.write(contentsOf: Data("after\n".utf8))
        #expect(try program.line() == "after")
        #expect(program.waitUntilExit() == 0)
    }

    @Test("one that has ended is told at once, whatever the patience")
    func ended() throws {
        let program = try Self.shell("echo last; exit 3")
        #expect(throws: RunningProgram.Ended.self) { try program.line(with: "x") }
        #expect(program.waitUntilExit() == 3)
    }

    @Test("one that does not end is told, and ended with what it has started")
    func endless() throws {
        let program = try Self.shell("setsid sleep 100 & sleep 100 & echo ready; wait")
        try program.line(with: "ready")
        let root = program.processIdentifier
        try #require(ProcessTree.living(root).count == 3)
        #expect(!program.ends(within: Self.soon))
        #expect(Patience().wait { ProcessTree.living(root).isEmpty })
    }

    @Test("with a program goes what it has started, also where it ended first")
    func orphans() throws {
        var program: RunningProgram? = try Self.shell("sleep 100 & echo ready")
        let root = try #require(program).processIdentifier
        try program?.line(with: "ready")
        #expect(Patience().wait { ProcessTree.living(root).count == 1 }, "the one that it left behind")
        program = nil
        #expect(Patience().wait { ProcessTree.living(root).isEmpty })
    }

    @Test("a condition that never holds says what it was, and what was there instead")
    func never() async throws {
        let error = try await #require(throws: Patience.Exhausted.self) {
            try await eventually("pigs fly", within: Self.soon, sees: "they walk") { false }
        }
        #expect(error.description.hasSuffix("it never was that pigs fly; they walk"))
        var turns = 0
        try await eventually("three turns have passed") {
            turns += 1
            return turns == 3
        }
    }

    @Test("a tool that hangs or fails is an error")
    func tools() throws {
        #expect(throws: Patience.Exhausted.self) { try Tool.run(["sleep", "100"], within: Self.soon) }
        #expect(throws: Tool.Failure.self) { try Tool.run(["false"]) }
        #expect(try Tool.run(["echo", "yes"]) == Data("yes\n".utf8))
    }
}
