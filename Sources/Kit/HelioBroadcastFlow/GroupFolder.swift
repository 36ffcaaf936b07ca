private import Foundation
private import HelioAppModels

/// The folder that an app and its broadcast extension share, with the relay's socket and the heartbeat's file.
public struct GroupFolder: Sendable, Hashable {
    /// The folder's path, usually the container of the app group.
    public let path: String

    /// The maximum number of bytes read from a heartbeat's file.
    private static let mostBytes = 4096

    /// Makes a value for an existing folder.
    public init(_ path: String) { self.path = path }

    /// The maximum length of a socket's path on Apple's systems, in bytes (`sockaddr_un.sun_path` without its end).
    static let longestSocket = 103

    /// The path of the relay's socket, in a folder of its own. The group's folder of the iOS simulator has too long a
    /// path for any socket, so the socket is in `/tmp` there, under a name that app and extension make alike.
    public var socket: String {
        let own = "\(path)/\(BroadcastKeys.socket)"
        if own.utf8.count <= Self.longestSocket { return own }
        // FNV-1a: the name only has to differ between groups. Other users have no access to the folder.
        let hash = path.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        return "/tmp/heliograph-\(String(hash, radix: 16))/socket"
    }

    /// True if the relay's socket exists; it may be left over from an app that was killed.
    public var hasSocket: Bool { FileManager.default.fileExists(atPath: socket) }

    /// The content of the heartbeat's file; `nil` if there is none.
    public var heartbeat: [UInt8]? {
        guard let file = FileHandle(forReadingAtPath: heartbeatPath) else { return nil }
        defer { try? file.close() }
        return (try? file.read(upToCount: Self.mostBytes)).map { Array($0) }
    }

    /// Replaces the heartbeat's file. A failed write is ignored, as the app then misses the heartbeat and shows a
    /// warning.
    func write(heartbeat bytes: [UInt8]) {
        try? Data(bytes).write(to: URL(filePath: heartbeatPath), options: .atomic)
    }

    private var heartbeatPath: String { "\(path)/\(BroadcastKeys.heartbeat)" }
}
