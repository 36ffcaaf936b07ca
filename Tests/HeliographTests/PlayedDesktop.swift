import Foundation
import HelioCore
import Testing

/// `heliograph share --rtsp` on an X server, and what a player made of it.
final class PlayedDesktop {
    static let username = "anna"
    static let password = "open-sesame"

    let shared: SharedDesktop
    /// Where the player writes raw pictures, 4 bytes a pixel.
    let output: String
    /// A folder that any user of this machine may write to.
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
        output = shared.folder.path + "/pictures"
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

    /// VLC refuses to be run by the administrator, who runs tests in containers.
    func startAsNobody(_ program: String, _ arguments: [String]) throws -> RunningProgram {
        let home = "HOME=\(`public`.path)"
        guard getuid() == 0 else { return try start("env", [home, program] + arguments) }
        let nobody = ["--reuid=65534", "--regid=65534", "--clear-groups", "env", home, program]
        return try start("setpriv", nobody + arguments)
    }

    /// Changes the screen once the player plays, and compares the last picture that it wrote with the screen.
    func expectScreen(from player: RunningProgram, decibels: Double) throws {
        try shared.share.line(with: "(a player) is watching")
        shared.source.fill(SharingTests.patchwork(shared.size, seed: 2))
        #expect(player.waitUntilExit() == 0, "\(player.text)")
        let last = try lastPicture()
        let likeness = try shared.source.screenshot(shared.size).psnr(last)
        #expect(likeness >= decibels)
        try shared.share.line(with: "no longer watches")
    }

    private func lastPicture() throws -> Screenshot {
        let file = try #require(FileHandle(forReadingAtPath: output), "the player wrote no picture")
        let length = try file.seekToEnd()
        let size = UInt64(shared.size.area * 4)
        try #require(length >= size && length % size == 0, "the pictures have another size than the screen")
        try file.seek(toOffset: length - size)
        let bytes = try #require(try file.readToEnd())
        return Screenshot(size: shared.size, bgrx: [UInt8](bytes))
    }

    /// Waits until the newest of VLC's snapshots is like the screen; gives the best likeness, dB.
    func waitForShot(decibels: Double) throws -> Double {
        let shot = `public`.appendingPathComponent("shot.png").path
        var best = 0.0
        let end = Date(timeIntervalSinceNow: 30)
        while best < decibels, Date() < end {
            let decoder = try start(
                "ffmpeg", ["-v", "error", "-y", "-i", shot, "-pix_fmt", "bgr0", "-f", "rawvideo", output])
            guard decoder.waitUntilExit() == 0, let picture = try? lastPicture() else { continue }
            best = max(best, try shared.source.screenshot(shared.size).psnr(picture))
        }
        return best
    }
}
