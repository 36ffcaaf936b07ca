private import Foundation
package import Testing

/// The text that a test has read, screen by screen, to be compared with `Screens/NAME.txt` of its target.
package struct Script {
    private var lines: [String] = []
    private let target: String

    /// - Parameter target: the target's folder in Tests.
    package init(of target: String) { self.target = target }

    package mutating func see(_ what: String, _ text: String) { lines.append("## \(what)\n\(text)\n") }

    package func expect(_ name: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let file = TextTable.folder.appending(path: "Tests/\(target)/Screens/\(name).txt")
        let read = lines.joined(separator: "\n")
        let expected = (try? String(contentsOf: file, encoding: .utf8)) ?? "(no such file)"
        if read != expected, let folder = ProcessInfo.processInfo.environment["SCREENS_READ"] {
            try read.write(to: URL(filePath: folder).appending(path: "\(name).txt"), atomically: true, encoding: .utf8)
        }
        #expect(read == expected, "\(name)", sourceLocation: sourceLocation)
    }
}
