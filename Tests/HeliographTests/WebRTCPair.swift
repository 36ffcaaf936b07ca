import Foundation
import HelioTestPrograms
import Testing

/// Two `heliograph webrtc` programs that signal by files.
final class WebRTCPair {
    struct TooFew: Error, CustomStringConvertible { let description: String }

    let folder: URL
    let offer: RunningProgram
    let answer: RunningProgram
    /// The offering side's standard input.
    let typed = Pipe()

    /// - Parameter display: the X display of the offering side.
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
            ["webrtc", "answer", "--save", folder.path + "/saved.h264"] + SharedDesktop.statistics + common + answer,
            environment: [:])
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

    /// Waits until this many pictures are saved.
    func waitForPictures(_ count: Int) throws {
        let patience = Patience(.seconds(60))
        while try savedPictures() < count {
            if patience.isOver { throw TooFew(description: "not \(count) pictures in a minute") }
        }
    }

    /// Waits until there are more pictures than `count`, and none for a further second: all changes are saved and
    /// refined. Returns their number.
    @discardableResult
    func waitUntilStill(after count: Int = 0) throws -> Int {
        var (saved, lines) = (try savedPictures(), 0)
        let patience = Patience(.seconds(60))
        while saved <= count || lines < Self.linesOfSecond {
            if patience.isOver {
                throw TooFew(description: "no more than \(saved) pictures in a minute, or no end of them")
            }
            let now = try savedPictures()
            (saved, lines) = (now, now == saved ? lines + 1 : 0)
        }
        return saved
    }

    /// The number of statistics lines that the other side prints in a second.
    private static let linesOfSecond = 10

    /// The number of saved pictures in the other side's next statistics line.
    private func savedPictures() throws -> Int {
        let line = try answer.line(with: "\"framesSaved\":")
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        return try #require(object?["framesSaved"] as? Int)
    }

    /// Ends the offering side, and waits for the other to end; returns the path of the file that it saved.
    func finish() throws -> String {
        offer.kill(SIGINT)
        try answer.line(with: "The other side has left.")
        #expect(answer.waitUntilExit() == 0)
        #expect(offer.waitUntilExit() == 0)
        #expect(answer.text.contains("Saved "))
        return folder.path + "/saved.h264"
    }
}
