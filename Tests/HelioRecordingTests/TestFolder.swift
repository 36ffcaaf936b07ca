import Foundation

/// A temporary folder, removed with this object.
final class TestFolder {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "/heliograph-recording-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String) -> String { path + "/" + name }

    var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }
}
