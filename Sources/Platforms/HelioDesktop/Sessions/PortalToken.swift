import Glibc

/// The token with which the desktop's portal gives the same permission again without asking: a secret of this user's.
package struct PortalToken: Sendable {
    private let folder: String
    /// The most bytes of a token.
    private static let mostBytes = 1024

    /// - Parameter folder: the folder of this installation's key and pairings.
    package init(folder: String) { self.folder = folder }

    /// Makes the token of the folder that the environment names: `$HELIOGRAPH_HOME`, or `heliograph` in the user's data
    /// folder; `nil` if there is none.
    package init?(_ variable: (String) -> String?) {
        func value(_ name: String) -> String? { variable(name).flatMap { $0.isEmpty ? nil : $0 } }
        if let home = value("HELIOGRAPH_HOME") {
            folder = home
        } else if let data = value("XDG_DATA_HOME") ?? value("HOME").map({ $0 + "/.local/share" }) {
            folder = data + "/heliograph"
        } else {
            return nil
        }
    }

    private var path: String { folder + "/portal-token" }

    /// Returns the stored token; `nil` if there is none, or others may read it.
    package func load() -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_uid == getuid(), status.st_mode & 0o077 == 0 else {
            return nil
        }
        var bytes = [UInt8](repeating: 0, count: Self.mostBytes + 1)
        let count = read(descriptor, &bytes, bytes.count)
        guard (1...Self.mostBytes).contains(count) else { return nil }
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }

    /// Stores a token, readable by this user alone; without one, the desktop asks again. Returns false on failure.
    @discardableResult
    package func save(_ token: String) -> Bool {
        let bytes = Array(token.utf8)
        guard (1...Self.mostBytes).contains(bytes.count), mkdir(folder, 0o700) == 0 || errno == EEXIST else {
            return false
        }
        let new = path + ".new"
        unlink(new)
        let descriptor = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return write(descriptor, bytes, bytes.count) == bytes.count && rename(new, path) == 0
    }

    package func remove() { unlink(path) }
}
