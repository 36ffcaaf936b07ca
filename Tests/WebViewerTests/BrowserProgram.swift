import Foundation
import HelioTestPrograms
import Synchronization

/// The process of Tests/ForeignPeers/Programs/browser.py. It ends with its input: at the latest with this process, however
/// that ends.
///
/// `@unchecked Sendable`: one `Browser` at a time has it; in between it lies among the idle ones.
final class BrowserProgram: @unchecked Sendable {
    struct Variant: Equatable {
        var kind: Browser.Kind
        var autoplays: Bool
    }

    private struct Problem: Decodable {
        var error: String?
    }

    private static let idle = Mutex<[BrowserProgram]>([])

    private let variant: Variant
    private let isOfThisMachine: Bool
    private let program: RunningProgram
    private let input = Pipe()
    /// False once an answer did not come: one that comes late would be taken for the next one's.
    private var answers = true

    /// An idle one, or a new one.
    static func take(_ variant: Variant) throws -> BrowserProgram {
        let found = idle.withLock { idle in
            idle.lastIndex { $0.variant == variant }.map { idle.remove(at: $0) }
        }
        return try found ?? BrowserProgram(variant, on: nil)
    }

    /// - Parameter machine: whose network it sees; `nil` is this one's.
    init(_ variant: Variant, on machine: NetworkMachine?) throws {
        self.variant = variant
        isOfThisMachine = machine == nil
        // A browser that has ended is told by an error, not by the end of this process.
        signal(SIGPIPE, SIG_IGN)
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        // No pipe of one browser's may stay open in another.
        for end in [input.fileHandleForReading, input.fileHandleForWriting] {
            _ = fcntl(end.fileDescriptor, F_SETFD, FD_CLOEXEC)
        }
        let script = tests.appending(path: "ForeignPeers/Programs/browser.py").path
        let command =
            ["/usr/bin/python3", script, variant.kind.rawValue] + (variant.autoplays ? ["--autoplay"] : [])
        program = try RunningProgram(
            "/usr/bin/env", machine?.command(command) ?? command, environment: [:],
            standardInput: input.fileHandleForReading)
        try input.fileHandleForReading.close()
        let line = try program.line()
        guard line.contains("ready") else { throw BrowserError(description: "no browser: \(line)") }
    }

    /// Returns the program to the idle ones: its pages are closed, and all that it kept for them is forgotten.
    func giveBack() {
        guard isOfThisMachine, answers, (try? said(BrowserCommand("clear"))) != nil else { return kill() }
        Self.idle.withLock { $0.append(self) }
    }

    /// All of it is gone at once: no page has a last word.
    func kill() {
        answers = false
        try? input.fileHandleForWriting.close()
        _ = program.waitUntilExit()
    }

    /// Says a command; gives the line that answers it.
    func said(_ command: BrowserCommand) throws -> Data {
        guard answers else { throw BrowserError(description: "the browser is gone") }
        let line: Data
        do {
            try input.fileHandleForWriting.write(contentsOf: JSONEncoder().encode(command) + Data("\n".utf8))
            line = Data(try program.line().utf8)
        } catch {
            answers = false
            throw error
        }
        if let error = try JSONDecoder().decode(Problem.self, from: line).error {
            throw BrowserError(description: error)
        }
        return line
    }
}
