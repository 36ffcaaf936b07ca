import Foundation

/// Debian's coturn on the internet between two homes, a third-party server: TURN by UDP and TCP for whoever has
/// credentials made with its secret, and STUN at two addresses, by which NATs are told apart (RFC 5780). Ends with this
/// object.
package final class PublicTURN {
    /// The file with the secret, for a program that makes credentials.
    package let secretFile: String
    package let urls = ["", "?transport=tcp"].map { "turn:\(TwoHomes.turn[0]):\(TwoHomes.turnPort)\($0)" }
    /// The same by TCP at HTTPS' port, for networks that let nothing else out.
    package let webPortURL = "turn:\(TwoHomes.turn[1]):443?transport=tcp"
    private let folder: URL
    private let program: RunningProgram

    package init(in world: TwoHomes) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "heliograph-turn-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let secret = UUID().uuidString
        let configuration =
            TwoHomes.turn.map { "listening-ip=\($0)" } + [
                "relay-ip=\(TwoHomes.turn[0])", "listening-port=\(TwoHomes.turnPort)", "use-auth-secret",
                "static-auth-secret=\(secret)", "realm=relay.example", "no-tls", "no-dtls", "no-cli",
                // The port of `webPortURL`.
                "aux-server=\(TwoHomes.turn[1]):443", "log-file=stdout", "simple-log",
                "userdb=\(folder.path)/users", "pidfile=\(folder.path)/pid",
            ]
        let file = folder.path + "/turnserver.conf"
        secretFile = folder.path + "/secret"
        for (text, path) in [(configuration.joined(separator: "\n"), file), (secret, secretFile)] {
            _ = FileManager.default.createFile(
                atPath: path, contents: Data((text + "\n").utf8), attributes: [.posixPermissions: 0o600])
        }
        program = try world.internet.start("/usr/bin/turnserver", ["-c", file])
        try program.line(with: "IO method (admin thread)")
        // Its threads start in any order: the log line may precede the accepting thread.
        guard try Patience().wait(until: { try world.reaches(TwoHomes.turn[0], TwoHomes.turnPort, from: .host) }) else {
            throw RunningProgram.Ended(description: "coturn takes no connections: \(program.text)")
        }
    }

    /// Ends the server.
    package func stop() {
        program.kill()
        _ = program.waitUntilExit()
    }

    deinit {
        program.kill()
        try? FileManager.default.removeItem(at: folder)
    }
}
