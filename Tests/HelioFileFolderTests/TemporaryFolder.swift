import Foundation

/// A folder that is deleted at the end of the test.
final class TemporaryFolder {
    let path: String

    init() {
        path = FileManager.default.temporaryDirectory.appending(path: "heliograph-\(UUID().uuidString)").path
        try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func path(_ name: String) -> String { path + "/" + name }

    @discardableResult
    func write(_ name: String, _ bytes: [UInt8]) -> String {
        let path = path(name)
        try? FileManager.default.createDirectory(
            atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        _ = FileManager.default.createFile(atPath: path, contents: Data(bytes))
        return path
    }

    func read(_ name: String) -> [UInt8]? { FileManager.default.contents(atPath: path(name)).map { [UInt8]($0) } }

    /// The sorted names of all files and folders, including hidden ones.
    var names: [String] { (FileManager.default.subpaths(atPath: path) ?? []).sorted() }

    func mode(_ name: String) -> Int? {
        (try? FileManager.default.attributesOfItem(atPath: path(name)))?[.posixPermissions] as? Int
    }
}
