package import Foundation
package import HelioAppModels

/// The apps' English texts, read from the same file that the apps use.
package struct TextTable {
    package static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    package let texts: [String: String]

    package init() throws {
        let file = Self.folder.appending(path: "Apps/Apple/Shared/en.lproj/Localizable.strings")
        var texts: [String: String] = [:]
        for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") where line.hasPrefix("\"") {
            let parts = line.components(separatedBy: "\" = \"")
            guard parts.count == 2, parts[1].hasSuffix("\";") else { throw CocoaError(.fileReadCorruptFile) }
            let key = String(parts[0].dropFirst())
            guard texts.updateValue(String(parts[1].dropLast(2)), forKey: key) == nil else {
                throw CocoaError(.fileReadCorruptFile)
            }
        }
        self.texts = texts
    }

    package func words(_ phrase: Phrase) -> String { phrase.words { texts[$0.rawValue] ?? "MISSING \($0.rawValue)" } }
}
