import Foundation
import Testing

/// A peer that is driven by lines of JSON: `heliograph webrtc --json`, or one of Tests/ForeignPeers.
final class JSONProgram {
    struct Wrong: Error, CustomStringConvertible { let description: String }

    private let program: RunningProgram
    private let input = Pipe()
    private var kept: [[String: Any]] = []

    init(_ path: String, _ arguments: [String]) throws {
        program = try RunningProgram(path, arguments, environment: [:], standardInput: input.fileHandleForReading)
    }

    static func heliograph(_ arguments: [String]) throws -> JSONProgram {
        try JSONProgram(SharedDesktop.heliograph, ["webrtc"] + arguments + ["--json", "--address", "127.0.0.1"])
    }

    static func foreign(_ arguments: [String]) throws -> JSONProgram {
        let peer = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "ForeignPeers/Programs/peer.py").path
        return try JSONProgram("/usr/bin/python3", [peer] + arguments)
    }

    func tell(_ object: [String: Any]) throws {
        let data = try JSONSerialization.data(withJSONObject: object)
        try input.fileHandleForWriting.write(contentsOf: data + [UInt8(ascii: "\n")])
    }

    private func nextLine() throws -> [String: Any] {
        while true {
            // Stacks chatter too.
            let line = try program.line()
            guard line.hasPrefix("{"),
                let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            else { continue }
            if let text = object["text"] as? String { throw Wrong(description: text) }
            return object
        }
    }

    /// The next line of a type that fits; those before it are kept.
    @discardableResult
    func next(_ type: String, where fits: ([String: Any]) -> Bool = { _ in true }) throws -> [String: Any] {
        if let place = kept.firstIndex(where: { $0["type"] as? String == type && fits($0) }) {
            return kept.remove(at: place)
        }
        while true {
            let line = try nextLine()
            if line["type"] as? String == type, fits(line) { return line }
            kept.append(line)
        }
    }

    /// Tells another one this one's description and its candidates to the last.
    func describe(_ type: String, to other: JSONProgram) throws {
        try other.tell(try next(type))
        while true {
            let candidate = try next("candidate")
            try other.tell(candidate)
            if candidate["candidate"] is NSNull { return }
        }
    }

    /// Lets it say goodbye; gives its exit code.
    func stop() throws -> Int32 {
        try tell(["type": "stop"])
        return program.waitUntilExit()
    }

    func kill() { program.kill() }
}
