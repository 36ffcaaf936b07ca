import Foundation
import HelioSDP

/// A page of Debian's Chromium, headless: a WebRTC stack that no one here wrote.
enum ChromiumPage {
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    /// Runs the body of an async function in a page, and gives the text that it returns. A minute is more than enough.
    static func run(_ body: String) throws -> String {
        let folder = FileManager.default.temporaryDirectory.appending(path: "helio-chromium-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let page = folder.appending(path: "page.html")
        let html = """
            <html><body><script>
            (async () => {
                let said;
                try { said = 'said:' + await (async () => { \(body) })(); } catch (e) { said = 'threw:' + e; }
                console.log('<<said ' + btoa(said) + ' said>>');
            })();
            </script></body></html>
            """
        try Data(html.utf8).write(to: page)
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "timeout", "60", "chromium", "--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr",
            "--user-data-dir=\(folder.path)/profile", page.absoluteString,
        ]
        let output = Pipe()
        process.standardOutput = FileHandle.nullDevice
        process.standardError = output
        try process.run()
        // The browser stays until it is told to go, or its minute is over.
        var log = ""
        while !log.contains(" said>>") {
            let more = output.fileHandleForReading.availableData
            if more.isEmpty { break }
            log += String(decoding: more, as: UTF8.self)
        }
        process.terminate()
        process.waitUntilExit()
        guard let start = log.firstRange(of: "<<said "), let end = log.firstRange(of: " said>>"),
            start.upperBound <= end.lowerBound,
            let data = Data(base64Encoded: String(log[start.upperBound..<end.lowerBound]))
        else {
            throw Failure(
                description: "no answer from Chromium (status \(process.terminationStatus)): is it installed?")
        }
        let said = String(decoding: data, as: UTF8.self)
        guard said.hasPrefix("said:") else { throw Failure(description: "Chromium \(said)") }
        return String(said.dropFirst("said:".count))
    }

    /// A description as a script's literal.
    static func literal(_ session: SessionDescription) -> String {
        "atob('\(Data(session.serialised()).base64EncodedString())')"
    }
}
