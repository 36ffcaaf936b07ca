public import HelioCore
private import HelioGround
private import HelioLocalSocket

#if canImport(FoundationEssentials)
private import FoundationEssentials
#else
private import Foundation
#endif

/// Sends and receives files through the sessions of this user's other processes, for the commands `heliograph send` and
/// `heliograph get`.
public enum FileCommands {
    /// A line of output for the user.
    public enum Line: Sendable, Hashable {
        /// A line of progress, which the next line may replace.
        case progress(String)
        case note(String)
    }

    /// The longest wait for a process to list its recipients.
    private static let patience = Duration.seconds(5)

    /// Sends files and folders to everybody who is connected, or to one recipient by name; returns once they have
    /// arrived.
    ///
    /// Throws `unreachable` if nobody is connected, `invalidArgument` if a path does not exist or more than one session
    /// matches, and `ended` if a file did not arrive.
    ///
    /// - Parameters:
    ///   - paths: files and folders, relative to the current folder.
    ///   - name: the recipient's name, as the session shows it; `nil` for everybody in the one session.
    ///   - tell: called with each line for the user.
    public static func send(_ paths: [String], to name: String?, tell: (Line) -> Void) throws(HelioError) {
        let absolute = paths.map { URL(fileURLWithPath: $0).standardizedFileURL.path }
        for (path, given) in zip(absolute, paths) where !FileManager.default.fileExists(atPath: path) {
            throw HelioError(.invalidArgument, "There is no \(given).")
        }
        var found: [(socket: LocalSocket, names: [String])] = []
        for path in FileServicePlace.sockets {
            guard let names = recipients(at: path), !names.isEmpty, let socket = try? LocalSocket.connect(to: path),
                name.map({ names.contains($0) }) ?? true
            else { continue }
            found.append((socket, names))
        }
        guard let session = found.first else {
            throw HelioError(
                .unreachable,
                name.map { "Nobody called '\($0)' is connected to a session of this machine." }
                    ?? "Nobody is connected: share this screen or view another one first.")
        }
        guard found.count == 1 else {
            let all = found.flatMap(\.names).joined(separator: ", ")
            throw HelioError(
                .invalidArgument, "More than one session has somebody connected (\(all)): say which of them is meant.")
        }
        try follow(session.socket, .send(paths: absolute, to: name), tell)
    }

    /// Accepts the next batch of files that a peer offers; returns once the files have arrived.
    ///
    /// Throws `unreachable` if there is no session, `invalidArgument` if there are several sessions, and `ended` if a
    /// file did not arrive.
    ///
    /// - Parameters:
    ///   - name: the sender's name, as the session shows it; `nil` for anybody.
    ///   - tell: called with each line for the user.
    public static func get(from name: String? = nil, tell: (Line) -> Void) throws(HelioError) {
        let sessions = FileServicePlace.sockets.compactMap { try? LocalSocket.connect(to: $0) }
        guard let session = sessions.first else {
            throw HelioError(
                .unreachable, "There is no session: share this screen or view another one first.")
        }
        guard sessions.count == 1 else {
            throw HelioError(
                .invalidArgument, "\(sessions.count) sessions run on this machine: answer in their own terminals.")
        }
        try follow(session, .get(from: name), tell)
    }

    private static func recipients(at path: String) -> [String]? {
        guard let socket = try? LocalSocket.connect(to: path), var lines = try? Lines(socket, .recipients) else {
            return nil
        }
        guard case .recipients(let names) = lines.next(until: MonotonicClock.now + patience) else { return nil }
        return names
    }

    private static func follow(
        _ socket: LocalSocket, _ request: FileServiceMessage.Request, _ tell: (Line) -> Void
    ) throws(HelioError) {
        var lines = try Lines(socket, request)
        while let answer = lines.next(until: nil) {
            switch answer {
            case .progress(let text): tell(.progress(text))
            case .note(let text): tell(.note(text))
            case .over(let failure):
                if let failure { throw HelioError(.ended, failure) }
                return
            case .recipients: break
            }
        }
        throw HelioError(.ended, "The session has ended.")
    }

    /// The answer of a session's process, read line by line.
    private struct Lines {
        private let socket: LocalSocket
        private var received: [UInt8] = []

        init(_ socket: LocalSocket, _ request: FileServiceMessage.Request) throws(HelioError) {
            self.socket = socket
            guard let line = try? JSONEncoder().encode(request) else {
                throw HelioError(.invalidArgument, "These paths can't be sent.")
            }
            let bytes = Array(line) + [UInt8(ascii: "\n")]
            let end = MonotonicClock.now + FileCommands.patience
            var sent = 0
            while sent < bytes.count {
                switch socket.send(bytes, from: sent) {
                case .done(let count): sent += count
                case .closed: throw HelioError(.ended, "The session has ended.")
                case .wouldBlock:
                    guard MonotonicClock.now < end else {
                        throw HelioError(.unreachable, "The session does not answer.")
                    }
                    var polls = [DescriptorPoll(socket.descriptor, wantsToSend: true)]
                    DescriptorPoll.wait(&polls, until: end)
                }
            }
        }

        /// Reads the next line; `nil` if the socket was closed, the line is malformed, or none arrived in time.
        mutating func next(until end: Instant?) -> FileServiceMessage.Answer? {
            while true {
                if let newline = received.firstIndex(of: UInt8(ascii: "\n")) {
                    let line = Data(received[..<newline])
                    received.removeFirst(newline + 1)
                    return try? JSONDecoder().decode(FileServiceMessage.Answer.self, from: line)
                }
                if let end, MonotonicClock.now >= end { return nil }
                let room = 64 << 10
                let came = withUnsafeTemporaryAllocation(byteCount: room, alignment: 1) { buffer in
                    let transfer = socket.receive(into: buffer)
                    if case .done(let count) = transfer { received += buffer[..<count] }
                    return transfer
                }
                switch came {
                case .done: break
                case .closed: return nil
                case .wouldBlock:
                    var polls = [DescriptorPoll(socket.descriptor)]
                    DescriptorPoll.wait(&polls, until: end)
                }
            }
        }
    }
}
