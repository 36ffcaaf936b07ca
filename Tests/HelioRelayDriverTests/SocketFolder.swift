import Foundation

/// A temporary folder for a socket, removed with the test.
final class SocketFolder: Sendable {
    let path: String

    init() {
        path = FileManager.default.temporaryDirectory.appending(path: "helio-relay-\(UUID().uuidString.prefix(8))").path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var socket: String { path + "/relay" }

    /// The lower nine bits of a file's mode.
    static func mode(_ path: String) throws -> Int? {
        (try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber)?.intValue
    }
}
