import Foundation
import HelioTestPrograms
import Testing

/// `heliograph rendezvous` on loopback, with a store that outlives it.
final class RendezvousServer {
    let url: String
    /// The URL for hosts: with the fingerprint of the server's own certificate, if it has one.
    let hostURL: String
    private let port: String
    private let folder: URL
    private let usesTLS: Bool
    private var program: RunningProgram

    init(usesTLS: Bool = false) throws {
        self.usesTLS = usesTLS
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("heliograph-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        if usesTLS { try Self.makeCertificate(in: folder) }
        program = try Self.start(in: folder, port: "0", usesTLS: usesTLS)
        let line = try program.line(with: usesTLS ? "has signed its certificate: " : "Rendezvous server: ")
        let found = try #require(line.firstMatch(of: /(https?:\/\/127\.0\.0\.1:([0-9]+))(#[0-9A-Za-z]+)?/))
        (hostURL, url, port) = (String(found.0), String(found.1), String(found.2))
    }

    private static func makeCertificate(in folder: URL) throws {
        try Tool.run(
            ["env", "-C", folder.path, "openssl"] + [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                "-subj", "/CN=rendezvous", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", "key.pem", "-out",
                "certificate.pem",
            ])
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: folder.path + "/key.pem")
    }

    deinit {
        program.kill()
        try? FileManager.default.removeItem(at: folder)
    }

    private static func start(in folder: URL, port: String, usesTLS: Bool) throws -> RunningProgram {
        let secure = [
            "--listen", "127.0.0.1", "--certificate", folder.path + "/certificate.pem", "--key",
            folder.path + "/key.pem",
        ]
        return try RunningProgram(
            RunningProgram.built("heliograph"),
            ["rendezvous", "--port", port, "--store", folder.path + "/rendezvous.sqlite"] + (usesTLS ? secure : []),
            environment: ["HELIOGRAPH_HOME": folder.path + "/home"])
    }

    func kill() {
        program.kill()
        _ = program.waitUntilExit()
    }

    func startAgain() throws {
        program = try Self.start(in: folder, port: port, usesTLS: usesTLS)
        try program.line(with: "Rendezvous server: ")
    }

    /// Waits until a host has said this often that it is reached by this server.
    func waitUntilReached(_ desktop: WebDesktop, times: Int = 1) throws {
        let isReached = Patience().wait {
            desktop.host.text.ranges(of: "Reached from any network by \(url)").count >= times
        }
        guard isReached else {
            throw BrowserError(description: "the rendezvous is not reached; the host said: \(desktop.host.text)")
        }
    }

    /// A host's name at the server, from its native link.
    func name(of desktop: WebDesktop) throws -> String {
        let link = try desktop.nativeLink
        let found = try #require(link.firstMatch(of: /via=([0-9a-z]{26})@/), "no name in the link")
        return String(found.1)
    }

    /// The page that calls a host with an unused link's secret.
    func newLink(to desktop: WebDesktop) throws -> String {
        "\(url)/#\(try name(of: desktop)).\(try desktop.newCode())"
    }
}
