import Foundation
import Testing

/// Two `heliograph webrtc` that find each other by files.
final class WebRTCPair {
    let folder: URL
    let offer: RunningProgram
    let answer: RunningProgram
    /// What is typed at the side that offers.
    let typed = Pipe()

    /// - Parameter display: the X display of the side that offers.
    init(offer: [String], answer: [String], display: String? = nil) throws {
        folder = try Self.makeFolder()
        let common = [
            "--address", "127.0.0.1", "--offer-file", folder.path + "/offer", "--answer-file", folder.path + "/answer",
        ]
        let environment = display.map { ["DISPLAY": $0] } ?? [:]
        self.offer = try RunningProgram(
            SharedDesktop.heliograph, ["webrtc", "offer"] + common + offer, environment: environment,
            standardInput: typed.fileHandleForReading)
        self.answer = try RunningProgram(
            SharedDesktop.heliograph,
            ["webrtc", "answer", "--save", folder.path + "/saved.h264", "--stats"] + common + answer, environment: [:])
    }

    deinit {
        offer.kill()
        answer.kill()
        try? FileManager.default.removeItem(at: folder)
    }

    static func makeFolder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("heliograph-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    func type(_ line: String) throws { try typed.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8)) }

    /// Waits until so many more pictures are saved.
    func waitForPictures(_ count: Int) throws {
        var first: Int?
        while true {
            let line = try answer.line(with: "\"framesSaved\":")
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            let saved = try #require(object?["framesSaved"] as? Int)
            first = first ?? saved
            if saved >= (first ?? 0) + count { return }
        }
    }

    /// The side that offers leaves, and the other ends too; gives the file that it saved.
    func finish() throws -> String {
        offer.kill(SIGINT)
        try answer.line(with: "The other side has left.")
        #expect(answer.waitUntilExit() == 0)
        #expect(offer.waitUntilExit() == 0)
        #expect(answer.text.contains("Saved "))
        return folder.path + "/saved.h264"
    }
}
