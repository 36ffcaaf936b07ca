import Foundation
import HelioTestPrograms

/// Debian's Chromium or Firefox, without a screen and with any number of pages: Tests/ForeignPeers/Programs/browser.py.
/// Ends with this object.
final class Browser {
    enum Kind: String {
        case chromium, firefox
    }

    private struct Problem: Decodable {
        var error: String?
    }

    private struct Reply<Value: Decodable>: Decodable {
        var value: Value
    }

    private let program: RunningProgram
    private let input = Pipe()

    /// - Parameters:
    ///   - machine: whose network it sees; `nil` is this one's.
    ///   - autoplays: true where a page that nobody has touched may play sound.
    init(_ kind: Kind = .chromium, on machine: NetworkMachine? = nil, autoplays: Bool = false) throws {
        // A browser that has ended is told by an error, not by the end of this process.
        signal(SIGPIPE, SIG_IGN)
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        // No pipe of one browser's may stay open in another.
        for end in [input.fileHandleForReading, input.fileHandleForWriting] {
            _ = fcntl(end.fileDescriptor, F_SETFD, FD_CLOEXEC)
        }
        let command =
            [
                "/usr/bin/python3", tests.appending(path: "ForeignPeers/Programs/browser.py").path, kind.rawValue,
            ] + (autoplays ? ["--autoplay"] : [])
        program = try RunningProgram(
            "/usr/bin/env", machine?.command(command) ?? command, environment: [:],
            standardInput: input.fileHandleForReading)
        try input.fileHandleForReading.close()
        let line = try program.line()
        guard line.contains("ready") else { throw BrowserError(description: "no browser: \(line)") }
    }

    deinit { kill() }

    /// All of it is gone at once: no page has a last word.
    func kill() {
        try? input.fileHandleForWriting.close()
        _ = program.waitUntilExit()
    }

    /// A page of a person of its own, or in a context, whose pages share what the browser keeps.
    func page(_ look: PageLook = .desktop, context: String = UUID().uuidString) throws -> Page {
        Page(self, try ask(.page(look, context: context)))
    }

    /// A tab that covers the newest page of a context.
    func tab(over context: String) throws -> Page {
        Page(self, try ask(.tab(context: context)))
    }

    func ask<Value: Decodable>(_ command: BrowserCommand, for type: Value.Type = Value.self) throws -> Value {
        let line = try said(command)
        do {
            return try JSONDecoder().decode(Reply<Value>.self, from: line).value
        } catch {
            throw BrowserError(description: "'\(String(decoding: line, as: UTF8.self))' is no \(type)")
        }
    }

    func tell(_ command: BrowserCommand) throws { _ = try said(command) }

    private func said(_ command: BrowserCommand) throws -> Data {
        try input.fileHandleForWriting.write(contentsOf: JSONEncoder().encode(command) + Data("\n".utf8))
        let line = Data(try program.line().utf8)
        if let error = try JSONDecoder().decode(Problem.self, from: line).error {
            throw BrowserError(description: error)
        }
        return line
    }
}
