private import Foundation
internal import HelioAppModels
private import HelioCore
private import HelioSharing

/// A `KeyValueStore` in a file of JSON that only its user can read. Both sides of the app keep their texts in one file,
/// each by keys of its own.
@MainActor
package final class FileStore: KeyValueStore {
    /// The file as all its sides see it.
    @MainActor
    private final class Content {
        let path: String
        var texts: [String: String]

        init(_ path: String) {
            self.path = path
            let data = FileManager.default.contents(atPath: path)
            texts = data.flatMap { try? JSONDecoder().decode([String: String].self, from: $0) } ?? [:]
        }
    }

    private let content: Content
    private let prefix: String

    /// Reads a file; one that is missing or unreadable has no texts.
    package convenience init(path: String) { self.init(Content(path), prefix: "") }

    private init(_ content: Content, prefix: String) {
        self.content = content
        self.prefix = prefix
    }

    /// The same file for one side of the app.
    package func side(_ name: String) -> FileStore { FileStore(content, prefix: "\(prefix)\(name).") }

    /// The file of the app's settings: `heliograph/app.json` in the user's folder for configuration.
    package static func usualPath(environment: [String: String]) -> String {
        let chosen = environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        return (chosen ?? HeliographHome.userFolder + "/.config") + "/heliograph/app.json"
    }

    package func text(_ key: String) -> String? { content.texts[prefix + key] }

    package func set(_ text: String?, for key: String) throws {
        content.texts[prefix + key] = text
        let url = URL(filePath: content.path)
        do {
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
            try encoder.encode(content.texts).write(to: url, options: .atomic)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: content.path)
        } catch {
            throw HelioError(.systemFailed, "\(content.path) can't be written: \(error.localizedDescription)")
        }
    }
}
