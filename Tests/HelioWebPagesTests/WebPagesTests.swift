import Foundation
import HelioWebPages
import Testing

@Suite("The page for browsers")
struct WebPagesTests {
    /// Detects a new file for which `script/embed-pages` was not run.
    @Test("all files of Web/viewer are in the program, as they are")
    func complete() throws {
        let viewer = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Web/viewer")
        var expected: [String: [UInt8]] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: viewer.path) {
            let file = viewer.appending(path: path)
            // Skips editors' leftovers.
            if path.contains("/.") || path.hasPrefix(".") { continue }
            if try file.resourceValues(forKeys: [.isDirectoryKey]).isDirectory == true { continue }
            expected[path] = Array(try Data(contentsOf: file))
        }
        let files = WebPages.files
        #expect(Set(files.map(\.path)) == Set(expected.keys), "run script/embed-pages")
        for file in files { #expect(file.bytes == expected[file.path], "\(file.path) is another") }
    }

    @Test("every file has a type that a browser takes it for")
    func types() {
        for file in WebPages.files { #expect(file.type != "application/octet-stream", "\(file.path)") }
        #expect(WebPages.files.first { $0.path == "index.html" }?.type == "text/html; charset=utf-8")
    }
}
