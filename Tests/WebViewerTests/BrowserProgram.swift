import Foundation
import HelioTestPrograms
import Synchronization

/// The process of Tests/ForeignPeers/Programs/browser.py. It exits at the end of its input, at the latest when this
/// process ends in any way.
///
/// `@unchecked Sendable`: only one `Browser` at a time owns it; otherwise it is in the list of idle ones.
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
    /// True if the program answers; false once an answer is missing, since a late one would be taken for the next
    /// command's.
    private var answers = true

    /// Returns an idle program, or starts a new one.
    static func take(_ variant: Variant) throws -> BrowserProgram {
        let found = idle.withLock { idle in
            idle.lastIndex { $0.variant == variant }.map { idle.remove(at: $0) }
        }
        return try found ?? BrowserProgram(variant, on: nil)
    }

    /// - Parameters:
    ///   - machine: the machine whose network it uses; `nil` is this machine.
    ///   - proxy: the address of the HTTP proxy in that network; empty if there is none.
    init(_ variant: Variant, on machine: NetworkMachine?, proxy: String = "") throws {
        self.variant = variant
        isOfThisMachine = machine == nil
        // Writing to a browser that has ended throws an error instead of ending this process.
        signal(SIGPIPE, SIG_IGN)
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        // Other browsers must not inherit this one's pipes.
        for end in [input.fileHandleForReading, input.fileHandleForWriting] {
            _ = fcntl(end.fileDescriptor, F_SETFD, FD_CLOEXEC)
        }
        let script = tests.appending(path: "ForeignPeers/Programs/browser.py").path
        let command =
            ["/usr/bin/python3", script, variant.kind.rawValue] + (variant.autoplays ? ["--autoplay"] : [])
        program = try RunningProgram(
            "/usr/bin/env", machine?.command(command) ?? command,
            environment: machine == nil ? [:] : Self.environment(proxy),
            standardInput: input.fileHandleForReading)
        try input.fileHandleForReading.close()
        let line = try program.line()
        guard line.contains("ready") else { throw BrowserError(description: "no browser: \(line)") }
    }

    /// The environment of a browser in another network, which this machine's own proxies are not in.
    private static func environment(_ proxy: String) -> [String: String] {
        let names = ["HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY", "NO_PROXY"].flatMap { [$0, $0.lowercased()] }
        return Dictionary(uniqueKeysWithValues: names.map { ($0, $0.lowercased() == "https_proxy" ? proxy : "") })
    }

    /// Returns the program to the idle ones, after closing its pages and clearing their storage.
    func giveBack() {
        guard isOfThisMachine, answers, (try? said(BrowserCommand("clear"))) != nil else { return kill() }
        Self.idle.withLock { $0.append(self) }
    }

    /// Kills the browser at once, without unload handlers.
    func kill() {
        answers = false
        try? input.fileHandleForWriting.close()
        _ = program.waitUntilExit()
    }

    /// Sends a command; returns the line that answers it.
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
