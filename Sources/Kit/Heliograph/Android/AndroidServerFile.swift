private import Foundation
internal import HelioCore
private import HelioOpenSSL

/// The server for phones: a file that this program brings along.
struct AndroidServerFile {
    /// The largest file that is taken for one, in bytes.
    private static let largest = 16 << 20

    let bytes: [UInt8]
    /// The first half of its SHA-256, in hexadecimal digits.
    let digest: String

    /// Reads the file.
    ///
    /// - Parameter path: `nil` to look beside this program.
    ///
    /// Throws `systemFailed` if it is not there or can't be read.
    init(_ path: String?) throws(HelioError) {
        let name = AndroidOptions.serverFileName
        guard let path = path ?? Self.find(name) else {
            throw HelioError(
                .systemFailed,
                "The server for Android phones, \(name), is not beside this program. Build it from Apps/Android/server with "
                    + "script/build-android-server.")
        }
        guard let data = FileManager.default.contents(atPath: path), !data.isEmpty, data.count <= Self.largest else {
            throw HelioError(.systemFailed, "The server for Android phones can't be read: \(path).")
        }
        let contents = Array(data)
        var hash = SHA256Stream()
        hash.update(contents.span.bytes)
        bytes = contents
        digest = Hexadecimal.text(Array(hash.digest().prefix(16)))
    }

    private static func find(_ name: String) -> String? {
        guard let program = Bundle.main.executableURL?.resolvingSymlinksInPath() else { return nil }
        let folder = program.deletingLastPathComponent()
        let places = [folder, folder.deletingLastPathComponent().appendingPathComponent("share/heliograph")]
        return places.map { $0.appendingPathComponent(name).path }.first { FileManager.default.fileExists(atPath: $0) }
    }
}
