private import Foundation
private import HelioAppModels

/// The folder that an app and its broadcast extension share: the relay's socket and the heartbeat's file.
public struct GroupFolder: Sendable, Hashable {
    /// Where it is.
    public let path: String

    /// The most bytes of a heartbeat's file that are read.
    private static let mostBytes = 4096

    /// A folder that is there.
    public init(_ path: String) { self.path = path }

    /// The path of the relay's socket.
    public var socket: String { "\(path)/\(BroadcastKeys.socket)" }

    /// True where the app has made the relay's socket; it may be left of one that was killed.
    public var hasSocket: Bool { FileManager.default.fileExists(atPath: socket) }

    /// What the heartbeat's file holds; `nil` where there is none.
    public var heartbeat: [UInt8]? {
        guard let file = FileHandle(forReadingAtPath: heartbeatPath) else { return nil }
        defer { try? file.close() }
        return (try? file.read(upToCount: Self.mostBytes)).map { Array($0) }
    }

    /// Replaces the heartbeat's file. One that is not written is one that the app misses: it warns by itself.
    func write(heartbeat bytes: [UInt8]) {
        try? Data(bytes).write(to: URL(filePath: heartbeatPath), options: .atomic)
    }

    private var heartbeatPath: String { "\(path)/\(BroadcastKeys.heartbeat)" }
}
