import Foundation
import HelioTestPrograms
import Testing

/// `heliograph rendezvous` on loopback, with a store that outlives it.
final class RendezvousServer {
    let url: String
    private let port: String
    private let folder: URL
    private var program: RunningProgram

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("heliograph-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        program = try Self.start(in: folder, port: "0")
        let line = try program.line(with: "Rendezvous server: ")
        let found = try #require(line.firstMatch(of: /http:\/\/127\.0\.0\.1:([0-9]+)/))
        (url, port) = (String(found.0), String(found.1))
    }

    deinit {
        program.kill()
        try? FileManager.default.removeItem(at: folder)
    }

    private static func start(in folder: URL, port: String) throws -> RunningProgram {
        try RunningProgram(
            RunningProgram.built("heliograph"),
            ["rendezvous", "--port", port, "--store", folder.path + "/rendezvous.sqlite"],
            environment: ["HELIOGRAPH_HOME": folder.path + "/home"])
    }

    func kill() {
        program.kill()
        _ = program.waitUntilExit()
    }

    func startAgain() throws {
        program = try Self.start(in: folder, port: port)
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
