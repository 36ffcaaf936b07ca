import Foundation
import HelioCore
import HelioTestPrograms

/// `heliograph share` on a simulated machine.
final class SharedMachine {
    private static let size = PixelSize(width: 320, height: 240)
    private static let password = "player:secret"
    private static let code = "ABCD-EFGH-JKMN-PQRS"

    private let source: Desktop
    private let destination: Desktop
    private let share: RunningProgram
    private let folder: URL
    private var lastLink = ""

    init(_ machine: NetworkMachine) throws {
        source = try Desktop(Self.size)
        destination = try Desktop(Self.size)
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("heliograph-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (name, text) in [("pair-code", Self.code), ("players", Self.password)] {
            try Data((text + "\n").utf8).write(to: folder.appendingPathComponent(name))
            chmod(folder.path + "/" + name, 0o600)
        }
        share = try machine.start(
            SharedDesktop.heliograph,
            [
                "share", "--no-discovery", "--link-file", folder.path + "/link", "--rtsp", "[::]:8554",
                "--rtsp-credentials", folder.path + "/players", "--pair-code-file", folder.path + "/pair-code",
            ], environment: ["DISPLAY": source.display, "HELIOGRAPH_HOME": folder.path + "/host"])
        try share.line(with: "--code")
    }

    deinit {
        share.kill()
        try? FileManager.default.removeItem(at: folder)
    }

    var link: String {
        get throws {
            try String(contentsOfFile: folder.path + "/link", encoding: .utf8)
                .trimmingCharacters(in: .whitespacesAndNewlines)
        }
    }

    /// Returns an unused link; a new one is made as soon as one is used.
    func newLink() throws -> String {
        // The host writes the file a moment after it prints that the last link was used.
        guard Patience(.seconds(20)).wait(until: { (try? link).map { $0 != lastLink } ?? false }) else {
            throw RunningProgram.Ended(description: "no new link: \(share.text)")
        }
        lastLink = try link
        return lastLink
    }

    func newCode() throws -> String {
        let secret = try newLink().split(separator: ".").last ?? ""
        return String(secret)
    }

    /// Watches from another machine until pictures have arrived and were shown.
    func watch(from machine: NetworkMachine, _ arguments: [String]) throws {
        let viewer = try machine.start(
            SharedDesktop.heliograph, ["view", "--stats"] + arguments,
            environment: ["DISPLAY": destination.display, "HELIOGRAPH_HOME": folder.path + "/viewer"])
        defer { viewer.kill() }
        var line = "\"frames\":0,"
        while line.contains("\"frames\":0,") { line = try viewer.line(with: "framesPerSecond") }
    }

    func pairAndWatch(from machine: NetworkMachine, _ place: String) throws {
        let pairing = try machine.start(
            SharedDesktop.heliograph, ["pair", "\(place):7236", "--code-file", folder.path + "/pair-code"],
            environment: ["HELIOGRAPH_HOME": folder.path + "/viewer"])
        guard pairing.waitUntilExit() == 0 else { throw RunningProgram.Ended(description: pairing.text) }
        try watch(from: machine, ["\(place):7236"])
    }

    /// Plays with FFmpeg, over UDP.
    func play(from machine: NetworkMachine, _ place: String) throws {
        let player = try machine.start(
            "ffmpeg",
            ["-v", "error", "-rtsp_transport", "udp"] + PlayedDesktop.atOnce + [
                "-i", "rtsp://\(Self.password)@\(place):8554/screen", "-frames:v", "1", "-f", "null", "-",
            ])
        guard player.waitUntilExit() == 0 else { throw RunningProgram.Ended(description: player.text) }
    }
}
