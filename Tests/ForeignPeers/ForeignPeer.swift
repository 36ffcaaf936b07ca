import Foundation
import Synchronization

/// A WebRTC peer with a third-party stack, in a process of its own. Tests/ForeignPeers/Programs/README.md documents its
/// commands and events; `heliograph webrtc --json` uses the same protocol, so Heliograph can be either end.
///
/// Only one task at a time may wait for the peer's lines. The process ends no later than this object.
package final class ForeignPeer: Sendable {
    package enum Kind: String, CaseIterable, Sendable, CustomStringConvertible {
        case aiortc, libwebrtc, gstreamer, chromium

        package var description: String { rawValue }
    }

    /// The longest wait for a peer's line. A browser starts in two seconds on an idle machine, and in many more on a
    /// busy one.
    package static let patience = Duration.seconds(60)

    /// The peer's name in test reports.
    private let name: String
    private let process: Process
    private let input: FileHandle
    private let inbox = LineInbox()
    /// Lines that arrived before the one that a caller waited for.
    private let kept = Mutex<[PeerLine]>([])

    /// Starts the peer's process. An offerer sends its offer at once.
    package convenience init(_ kind: Kind, _ options: ForeignPeerOptions) throws {
        let programs = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Programs")
        try self.init(
            kind.rawValue, "/usr/bin/python3",
            [programs.appending(path: "peer.py").path, kind.rawValue] + options.arguments)
        try tell(options.configuration)
    }

    /// Starts `heliograph webrtc --json` as built beside the tests.
    ///
    /// - Parameter more: additional command-line arguments.
    package static func heliograph(_ options: ForeignPeerOptions, _ more: [String] = []) throws -> ForeignPeer {
        let peer = try unconfigured(options.heliographArguments + more)
        try peer.tell(options.configuration)
        return peer
    }

    /// Starts `heliograph webrtc --json` without sending its `configure` command.
    package static func unconfigured(_ arguments: [String]) throws -> ForeignPeer {
        let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let program = URL(filePath: tests).deletingLastPathComponent().appending(path: "heliograph").path
        return try ForeignPeer("heliograph", program, ["webrtc"] + arguments + ["--json"])
    }

    private init(_ name: String, _ program: String, _ arguments: [String]) throws {
        self.name = name
        // Writing to a peer that has ended throws an error instead of ending this process by SIGPIPE.
        _ = Self.ignoresBrokenPipes
        process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        let (standardInput, standardOutput) = (Pipe(), Pipe())
        process.standardInput = standardInput
        process.standardOutput = standardOutput
        // The stacks log to standard error; failures arrive as lines on standard output.
        process.standardError = FileHandle.nullDevice
        input = standardInput.fileHandleForWriting
        do {
            try process.run()
        } catch {
            throw ForeignPeerError(description: "no \(name): \(program) can't be started (\(error))")
        }
        try standardOutput.fileHandleForWriting.close()
        try standardInput.fileHandleForReading.close()
        let (output, inbox) = (standardOutput.fileHandleForReading, inbox)
        Thread.detachNewThread { Self.read(output, into: inbox, of: name) }
    }

    deinit {
        try? input.close()
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }

    private static let ignoresBrokenPipes: Bool = {
        signal(SIGPIPE, SIG_IGN)
        return true
    }()

    private static func read(_ output: FileHandle, into inbox: LineInbox, of name: String) {
        var waiting = Data()
        while true {
            let data = output.availableData
            if data.isEmpty { break }
            waiting.append(data)
            while let end = waiting.firstIndex(of: UInt8(ascii: "\n")) {
                let line = Data(waiting[waiting.startIndex..<end])
                waiting = Data(waiting[waiting.index(after: end)...])
                do {
                    inbox.put(try JSONDecoder().decode(PeerLine.self, from: line))
                } catch {
                    let text = String(decoding: line, as: UTF8.self)
                    return inbox.end(ForeignPeerError(description: "\(name) said what is no line of its: \(text)"))
                }
            }
        }
        inbox.end(ForeignPeerError(description: "\(name) has ended"))
    }

    package func tell(_ line: PeerLine) throws {
        try tell(String(decoding: JSONEncoder().encode(line), as: UTF8.self))
    }

    /// Writes a line to the peer's standard input.
    package func tell(_ line: String) throws {
        do {
            try input.write(contentsOf: Data((line + "\n").utf8))
        } catch {
            throw ForeignPeerError(description: "\(name) takes no more lines: it said \(told(kept.withLock(\.self)))")
        }
    }

    /// Returns the peer's next line of any type; throws if that line is an error.
    package func next(within limit: Duration = patience) async throws -> PeerLine {
        let oldest = kept.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        if let oldest { return oldest }
        return try await fresh(within: limit)
    }

    /// Returns the next line of `type` that matches. Lines before it are kept for later, in order.
    @discardableResult
    package func next(
        _ type: String, within limit: Duration = patience, where fits: @Sendable (PeerLine) -> Bool = { _ in true }
    ) async throws -> PeerLine {
        let early = kept.withLock { kept -> PeerLine? in
            guard let place = kept.firstIndex(where: { $0.type == type && fits($0) }) else { return nil }
            return kept.remove(at: place)
        }
        if let early { return early }
        let clock = ContinuousClock()
        let deadline = clock.now + limit
        while true {
            let line: PeerLine
            do {
                line = try await fresh(within: max(.zero, deadline - clock.now))
            } catch {
                let said = told(kept.withLock(\.self))
                throw ForeignPeerError(description: "\(name) said no '\(type)' (\(error)); it said \(said)")
            }
            if line.type == type, fits(line) { return line }
            kept.withLock { $0.append(line) }
        }
    }

    private func fresh(within limit: Duration) async throws -> PeerLine {
        let line = try await inbox.next(within: limit)
        if line.type == "error", case .said(let text) = line.text {
            throw ForeignPeerError(description: "\(name): \(text)")
        }
        return line
    }

    private func told(_ lines: [PeerLine]) -> String {
        lines.isEmpty
            ? "nothing else" : lines.map { "\($0.type) \($0.state ?? $0.label ?? "")" }.joined(separator: ", ")
    }

    /// Kills the process, so that its remote peer gets no goodbye.
    package func vanish() {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Sends `stop`, which lets the peer close its connection, and waits for its exit; throws on any exit status but 0.
    package func stop(within limit: Duration = .seconds(20)) async throws {
        try tell(.stop)
        let clock = ContinuousClock()
        let deadline = clock.now + limit
        do {
            while true { _ = try await fresh(within: max(.zero, deadline - clock.now)) }
        } catch {
            // The peer's output ends with its process.
            guard clock.now < deadline else { throw ForeignPeerError(description: "\(name) does not stop") }
        }
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw ForeignPeerError(description: "\(name) ended with \(process.terminationStatus)")
        }
    }
}
