import Foundation
import HelioCore
import HelioTestPrograms
import Testing

/// `heliograph share --rtsp` on an X server, and a player's decoded pictures.
final class PlayedDesktop {
    static let username = "anna"
    static let password = "open-sesame"
    /// FFmpeg's options to start without measuring the frame rate first, which takes five seconds if the screen is
    /// still.
    static let atOnce = ["-fpsprobesize", "0"]

    let shared: SharedDesktop
    /// The pipe to which the player writes its pictures.
    let pictures: PicturePipe
    /// A folder that every user of this machine may write to.
    let `public`: URL
    private var players: [RunningProgram] = []

    init(_ size: PixelSize, hasPassword: Bool = false, share arguments: [String] = []) throws {
        let credentials = FileManager.default.temporaryDirectory.appendingPathComponent(
            "heliograph-\(UUID().uuidString)")
        var all = ["--rtsp", "127.0.0.1:0"] + arguments
        if hasPassword {
            _ = FileManager.default.createFile(
                atPath: credentials.path, contents: Data("\(Self.username):\(Self.password)\n".utf8),
                attributes: [.posixPermissions: 0o600])
            all += ["--rtsp-credentials", credentials.path]
        }
        defer { try? FileManager.default.removeItem(at: credentials) }
        shared = try SharedDesktop(size, share: all)
        pictures = try PicturePipe(shared.folder.path + "/pictures", size: size)
        `public` = shared.folder.appendingPathComponent("public")
        try FileManager.default.createDirectory(
            at: `public`, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o777])
        shared.source.fill(SharingTests.patchwork(size))
    }

    deinit {
        for player in players { player.kill() }
    }

    var url: String {
        let words = shared.share.text.split(whereSeparator: \.isWhitespace)
        return words.first { $0.hasPrefix("rtsp://") }.map { String($0) } ?? "the program told no URL"
    }

    var urlWithPassword: String {
        url.replacing("rtsp://", with: "rtsp://\(Self.username):\(Self.password)@")
    }

    func start(_ program: String, _ arguments: [String]) throws -> RunningProgram {
        let player = try shared.destination.start(program, arguments)
        players.append(player)
        return player
    }

    /// Runs a program as another user than root: VLC refuses to run as root, which runs tests in containers.
    func startAsNobody(_ program: String, _ arguments: [String]) throws -> RunningProgram {
        let home = "HOME=\(`public`.path)"
        guard getuid() == 0 else { return try start("env", [home, program] + arguments) }
        let nobody = ["--reuid=65534", "--regid=65534", "--clear-groups", "env", home, program]
        return try start("setpriv", nobody + arguments)
    }

    /// Changes the screen once the player shows pictures, and waits until it shows the change.
    func expectScreen(from player: RunningProgram, decibels: Double) throws {
        try shared.share.line(with: "(a player) is watching")
        _ = try pictures.next()
        shared.source.fill(SharingTests.patchwork(shared.size, seed: 2))
        let screen = try shared.source.screenshot(shared.size)
        var best = 0.0
        let patience = Patience()
        while best < decibels, !patience.isOver {
            // A comparison takes longer than a picture of the player, so some are skipped. The player chooses how often
            // it repeats each.
            for _ in 0..<4 { _ = try pictures.next() }
            best = max(best, screen.psnr(try pictures.next()))
        }
        player.kill()
        #expect(best >= decibels)
        try shared.share.line(with: "no longer watches")
    }

    /// Waits until VLC's newest snapshot resembles the screen; returns the best peak signal-to-noise ratio in dB.
    func waitForShot(decibels: Double) throws -> Double {
        let shot = `public`.appendingPathComponent("shot.png").path
        let screen = try shared.source.screenshot(shared.size)
        var best = 0.0
        let end = Date(timeIntervalSinceNow: 30)
        while best < decibels, Date() < end {
            let raw = shot + ".raw"
            let decoder = try start(
                "ffmpeg", ["-v", "error", "-y", "-i", shot, "-pix_fmt", "bgr0", "-f", "rawvideo", raw])
            // Skips a snapshot that is still being written.
            guard decoder.waitUntilExit() == 0, let bytes = FileManager.default.contents(atPath: raw),
                bytes.count == shared.size.area * 4
            else { continue }
            best = max(best, screen.psnr(Screenshot(size: shared.size, bgrx: [UInt8](bytes))))
        }
        return best
    }
}
