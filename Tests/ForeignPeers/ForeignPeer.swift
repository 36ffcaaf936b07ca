import Foundation
import Synchronization

/// A WebRTC peer that no one here wrote, in a process of its own: Tests/ForeignPeers/Programs/README.md tells what can
/// be said to it and what it says. `heliograph webrtc --json` speaks the same, so that our own can stand at either end.
///
/// One task at a time may wait for its lines. The process ends with this object at the latest.
package final class ForeignPeer: Sendable {
    package enum Kind: String, CaseIterable, Sendable, CustomStringConvertible {
        case aiortc, libwebrtc, gstreamer, chromium

        package var description: String { rawValue }
    }

    /// How long a peer may take to say what is waited for. A browser starts in two seconds here, and on a busy
    /// machine in many more.
    package static let patience = Duration.seconds(60)

    /// For reports.
    private let name: String
    private let process: Process
    private let input: FileHandle
    private let inbox = LineInbox()
    /// Lines that came before the one that was waited for.
    private let kept = Mutex<[PeerLine]>([])

    /// Starts it; as the offerer, it offers at once.
    package convenience init(_ kind: Kind, _ options: ForeignPeerOptions) throws {
        let programs = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Programs")
        try self.init(
            kind.rawValue, "/usr/bin/python3",
            [programs.appending(path: "peer.py").path, kind.rawValue] + options.arguments)
        try tell(options.configuration)
    }

    /// Our own: `heliograph webrtc --json`, as it was built beside the tests.
    ///
    /// - Parameter more: of its arguments.
    package static func heliograph(_ options: ForeignPeerOptions, _ more: [String] = []) throws -> ForeignPeer {
        let peer = try unconfigured(options.heliographArguments + more)
        try peer.tell(options.configuration)
        return peer
    }

    /// `heliograph webrtc --json`, which nobody has said anything to.
    package static func unconfigured(_ arguments: [String]) throws -> ForeignPeer {
        let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let program = URL(filePath: tests).deletingLastPathComponent().appending(path: "heliograph").path
        return try ForeignPeer("heliograph", program, ["webrtc"] + arguments + ["--json"])
    }

    private init(_ name: String, _ program: String, _ arguments: [String]) throws {
        self.name = name
        // A peer that has ended is told by an error, not by the end of this process.
        _ = Self.ignoresBrokenPipes
        process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        let (standardInput, standardOutput) = (Pipe(), Pipe())
        process.standardInput = standardInput
        process.standardOutput = standardOutput
        // Stacks chatter there; what fails is a line on the other.
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

    /// Any line at all.
    package func tell(_ line: String) throws {
        do {
            try input.write(contentsOf: Data((line + "\n").utf8))
        } catch {
            throw ForeignPeerError(description: "\(name) takes no more lines: it said \(told(kept.withLock(\.self)))")
        }
    }

    /// The next line, whatever it is; an error of the peer's is thrown.
    package func next(within limit: Duration = patience) async throws -> PeerLine {
        let oldest = kept.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        if let oldest { return oldest }
        return try await fresh(within: limit)
    }

    /// The next line of a type that fits. What comes before it is kept for later, in order.
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

    /// It is gone without a word to anybody.
    package func vanish() {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Lets it say goodbye to its peer, and waits for its end: anything but success is an error.
    package func stop(within limit: Duration = .seconds(20)) async throws {
        try tell(.stop)
        let clock = ContinuousClock()
        let deadline = clock.now + limit
        do {
            while true { _ = try await fresh(within: max(.zero, deadline - clock.now)) }
        } catch {
            // Its output ends with it.
            guard clock.now < deadline else { throw ForeignPeerError(description: "\(name) does not stop") }
        }
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw ForeignPeerError(description: "\(name) ended with \(process.terminationStatus)")
        }
    }
}
