import Foundation
import HelioCore
import HelioTestLanes
import HelioTestPrograms
import Testing

/// Real programs: a host that lets in paired devices alone, at their hours.
@Suite("Paired devices alone", .serialized, .timeLimit(.minutes(2)), .tags(.quiet))
final class UnattendedTests {
    private let folder = FileManager.default.temporaryDirectory.path + "/heliograph-\(UUID().uuidString)"
    private let desktop: Desktop

    init() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        desktop = try Desktop(PixelSize(width: 320, height: 240))
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private func start(_ home: String, _ arguments: [String]) throws -> RunningProgram {
        try desktop.start(
            SharedDesktop.heliograph, arguments,
            environment: SharedDesktop.noSound.merging(["HELIOGRAPH_HOME": "\(folder)/\(home)"]) { $1 })
    }

    /// Shares with paired devices alone; returns the program and its address.
    private func share(_ arguments: [String] = []) throws -> (RunningProgram, String) {
        let share = try start(
            "host",
            ["share", "--address", "127.0.0.1", "--port", "0", "--web", "off", "--no-discovery", "--paired-only"]
                + arguments)
        try share.line(with: "Only paired devices are let in")
        let line = try share.line(with: "This machine's address: 127.0.0.1:")
        return (share, String(try #require(line.split(separator: " ").last)))
    }

    /// Hours that begin so many hours after this one, and last for four.
    private static func hours(from offset: Int) -> String {
        let hour = Calendar.current.component(.hour, from: Date())
        func text(_ hour: Int) -> String { String(format: "%02d:00", (hour + 48) % 24) }
        return "\(text(hour + offset))-\(text(hour + offset + 4))"
    }

    @Test(
        "a paired device comes at its hours, is put out when they are over, and refused outside them; no link is shown")
    func hours() throws {
        let code = folder + "/code"
        #expect(try start("host", ["devices", "make-code", code]).waitUntilExit() == 0)
        let (share, place) = try share(["--pair-code-file", code])
        let pairing = try start("viewer", ["pair", place, "--name", "laptop", "--code-file", code])
        #expect(pairing.waitUntilExit() == 0, "\(pairing.text)")
        let view = try start("viewer", ["view", place] + SharedDesktop.statistics)
        try view.line(with: "Watching")
        try share.line(with: "laptop (127.0.0.1) is watching")
        #expect(!share.text.contains("heliograph://") && !share.text.contains("--code "))

        // The hours around now change nothing; others end the session within two seconds.
        #expect(
            try start("host", ["devices", "allow", "laptop", "--hours", Self.hours(from: -2)]).waitUntilExit() == 0)
        #expect(try start("host", ["devices", "allow", "laptop", "--hours", Self.hours(from: 3)]).waitUntilExit() == 0)
        try share.line(with: "no longer watches: its hours are over.")
        try view.line(with: "at certain hours only")
        // The viewer's window shows the error until it is closed.
        view.kill(SIGTERM)
        #expect(view.waitUntilExit() != 0)
        let list = try start("host", ["devices"])
        #expect(list.waitUntilExit() == 0 && list.text.contains("at \(Self.hours(from: 3))"), "\(list.text)")
        let again = try start("viewer", ["view", place])
        #expect(again.waitUntilExit() != 0 && again.text.contains("at certain hours only"), "\(again.text)")
        try share.line(with: "came outside its hours")
    }

    @Test("somebody with a code is told that paired devices alone are let in")
    func code() throws {
        let (share, place) = try share()
        let view = try start("viewer", ["view", place, "--code", "AAAA-AAAA-AAAA-AAAA"])
        #expect(view.waitUntilExit() != 0 && view.text.contains("paired devices alone"), "\(view.text)")
        try share.line(with: "tried a link. Only paired devices are let in")
    }

    @Test("no link is printed into systemd's journal; into any other pipe it is")
    func journal() throws {
        let arguments =
            "share --address 127.0.0.1 --port 0 --web off --no-discovery --link-file '\(folder)/link'"
        for isJournal in [true, false] {
            // The stream of this shell's output, as systemd tells it.
            let stream = isJournal ? "$(stat -L -c %d:%i /proc/$$/fd/1)" : "1:1"
            let share = try desktop.start(
                "bash", ["-c", "export JOURNAL_STREAM=\(stream); exec '\(SharedDesktop.heliograph)' \(arguments)"],
                environment: SharedDesktop.noSound.merging(["HELIOGRAPH_HOME": folder + "/host"]) { $1 })
            try share.line(with: isJournal ? "The link is not printed here" : "heliograph view '")
            let link = try String(contentsOfFile: folder + "/link", encoding: .utf8)
            let secret = try #require(link.split(separator: "#").last).trimmingCharacters(in: .whitespacesAndNewlines)
            #expect(share.text.contains(secret) == !isJournal)
            share.kill(SIGTERM)
            #expect(share.waitUntilExit() == 0)
        }
    }
}
