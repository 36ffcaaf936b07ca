import Foundation
import HelioCore
import HelioTestLanes
import HelioTestPrograms
import Testing

/// `heliograph share` and `heliograph view` that meet at `heliograph rendezvous`, all on loopback.
@Suite("Sessions by a rendezvous server", .serialized, .timeLimit(.minutes(3)), .tags(.quiet))
final class RendezvousTests {
    static let size = PixelSize(width: 640, height: 480)

    /// `heliograph rendezvous` with a store that outlives it.
    final class Server {
        let url: String
        private let port: String
        private let folder: String
        private var program: RunningProgram

        init(in folder: URL) throws {
            self.folder = folder.path
            program = try Self.start(in: folder.path, port: "0")
            let line = try program.line(with: "Rendezvous server: ")
            let found = try #require(line.firstMatch(of: /http:\/\/127\.0\.0\.1:([0-9]+)/))
            (url, port) = (String(found.0), String(found.1))
        }

        deinit { program.kill() }

        private static func start(in folder: String, port: String) throws -> RunningProgram {
            try RunningProgram(
                SharedDesktop.heliograph, ["rendezvous", "--port", port, "--store", folder + "/rendezvous.sqlite"],
                environment: ["HELIOGRAPH_HOME": folder + "/rendezvous"])
        }

        /// The server's host and port.
        var place: String { "127.0.0.1:\(port)" }

        func kill() {
            program.kill()
            _ = program.waitUntilExit()
        }

        func startAgain() throws {
            program = try Self.start(in: folder, port: port)
            try program.line(with: "Rendezvous server: ")
        }
    }

    private let folder: URL
    private let server: Server

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("heliograph-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        server = try Server(in: folder)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Shares by the server, and waits until it is reached.
    private func share(_ arguments: [String] = []) throws -> SharedDesktop {
        let desktop = try SharedDesktop(Self.size, share: ["--rendezvous", server.url] + arguments)
        try desktop.share.line(with: "Reached from any network by \(server.url)")
        return desktop
    }

    /// A link without the host's address: nothing listens at the one that it has instead.
    private static func withoutAddress(_ link: String) throws -> String {
        let rest = try #require(link.firstRange(of: "/?via="))
        return "heliograph://127.0.0.1:1" + link[rest.lowerBound...]
    }

    /// Types a key at the viewer, which has to arrive in the host's client.
    private func press(_ key: String, _ desktop: SharedDesktop, _ client: RunningProgram) throws {
        try desktop.destination.run("xdotool", "key", key)
        try client.line(with: "XLookupString gives 1 bytes: (\(String(UInt8(key.utf8.first ?? 0), radix: 16)))")
    }

    private func line(_ viewer: RunningProgram?, ofLink link: String) throws {
        try viewer?.line("statistics of a \(link) link") { $0.contains("\"link\":\"\(link)\"") }
    }

    @Test("a viewer that knows no address watches and drives, outlives the server, and another comes when that is back")
    func link() throws {
        let desktop = try share()
        let client = try desktop.source.startClient(Self.size, events: ["keyboard", "button"])
        try desktop.watch(host: Self.withoutAddress(desktop.link))
        try line(desktop.view, ofLink: "direct")
        try desktop.destination.run("xdotool", "mousemove", "300", "200", "click", "1")
        try client.line(with: "ButtonRelease")
        try press("a", desktop, client)

        server.kill()
        try desktop.share.line(with: "Sharing goes on without it")
        try desktop.view?.goOn(for: .seconds(1))
        try press("b", desktop, client)

        try server.startAgain()
        try desktop.share.line(with: "Reached from any network")
        let second = try desktop.startViewer(
            ["--link", "rendezvous", Self.withoutAddress(desktop.link)])
        defer { second.kill() }
        try second.line(with: "Watching")
        try line(second, ofLink: "rendezvous")
    }

    @Test("a paired device finds its host after both the host's port and the server's process are others")
    func paired() throws {
        let code = folder.path + "/code"
        let making = try RunningProgram(SharedDesktop.heliograph, ["devices", "make-code", code], environment: [:])
        #expect(making.waitUntilExit() == 0)
        let desktop = try share(["--name", "tower", "--pair-code-file", code])
        let address = try String(desktop.link.dropFirst("heliograph://".count).prefix { $0 != "/" })
        let pairing = try desktop.run("pair", address, "--name", "laptop", "--code-file", code)
        #expect(pairing.waitUntilExit() == 0, "\(pairing.text)")
        try desktop.share.line(with: "laptop (127.0.0.1) is paired")
        desktop.share.kill(SIGKILL)
        server.kill()
        try server.startAgain()
        try desktop.shareAgain(["--rendezvous", server.url, "--name", "tower"])
        try desktop.share.line(with: "Reached from any network")

        try desktop.watch(host: "tower@\(server.place)")
        try line(desktop.view, ofLink: "direct")
        desktop.view?.kill(SIGTERM)
        _ = desktop.view?.waitUntilExit()
        #expect(try whereabouts(desktop).contains("tower   \(address)   online at \(server.place)"))
        // By its name alone: its address is that of before.
        try desktop.watch(host: "tower")
        try line(desktop.view, ofLink: "direct")
        desktop.share.kill(SIGTERM)
        _ = desktop.share.waitUntilExit()
        #expect(try whereabouts(desktop).contains("last seen at \(server.place)"))
        server.kill()
        #expect(try whereabouts(desktop).contains("tower   \(address)   whereabouts unknown"))
    }

    @Test("a device pairs from afar by a link and a code, comes back by the host's name, and the link is still unused")
    func pairingFromAfar() throws {
        let code = folder.path + "/code"
        let making = try RunningProgram(SharedDesktop.heliograph, ["devices", "make-code", code], environment: [:])
        #expect(making.waitUntilExit() == 0)
        let desktop = try share(["--name", "tower", "--pair-code-file", code])
        let link = try Self.withoutAddress(desktop.link)
        let pairing = try desktop.run("pair", link, "--name", "laptop", "--code-file", code)
        #expect(pairing.waitUntilExit() == 0, "\(pairing.text)")
        #expect(pairing.text.contains("Paired with tower") && pairing.text.contains("heliograph view tower"))
        try desktop.watch(host: "tower@\(server.url)")
        try line(desktop.view, ofLink: "direct")
        let guest = try desktop.startViewer([link])
        defer { guest.kill() }
        try guest.line(with: "Watching")
    }

    private func whereabouts(_ desktop: SharedDesktop) throws -> String {
        let list = try desktop.run("devices")
        #expect(list.waitUntilExit() == 0)
        return list.text
    }

    @Test("within reach of its address, a host is reached there, by a server that is down from the start")
    func unreachableServer() throws {
        server.kill()
        let desktop = try SharedDesktop(Self.size, share: ["--rendezvous", server.url])
        try desktop.share.line(with: "Sharing goes on without it")
        try desktop.watch()
        let far = try desktop.startViewer([Self.withoutAddress(desktop.link), "--close-at-end"])
        #expect(far.waitUntilExit() != 0)
        #expect(far.text.contains("rendezvous server at \(server.url)"), "\(far.text)")
    }

    @Test("a certificate of the server's own making is pinned, at both ends, by the fingerprint in address and link")
    func ownCertificate() throws {
        let (key, certificate) = (folder.path + "/key.pem", folder.path + "/certificate.pem")
        let openssl = try RunningProgram(
            "openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                "-subj", "/CN=rendezvous", "-keyout", key, "-out", certificate,
            ], environment: [:])
        #expect(openssl.waitUntilExit() == 0, "\(openssl.text)")
        chmod(key, 0o600)
        let secure = try RunningProgram(
            SharedDesktop.heliograph,
            [
                "rendezvous", "--listen", "127.0.0.1", "--port", "0", "--store", "off", "--certificate", certificate,
                "--key", key,
            ], environment: ["HELIOGRAPH_HOME": folder.path + "/secure"])
        defer { secure.kill() }
        let line = try secure.line(with: "has signed its certificate: ")
        let found = try #require(line.firstMatch(of: /(https:\/\/127\.0\.0\.1:[0-9]+)#[0-9A-Za-z]{52}/))
        let (whole, url) = (String(found.0), String(found.1))
        let desktop = try SharedDesktop(Self.size, share: ["--rendezvous", whole])
        try desktop.share.line(with: "Reached from any network by \(url)")
        try desktop.watch(host: Self.withoutAddress(desktop.link))
        try self.line(desktop.view, ofLink: "direct")
        desktop.share.kill(SIGTERM)
        try desktop.shareAgain(["--rendezvous", url + "#" + String(repeating: "0", count: 52)])
        try desktop.share.line(with: "shows another certificate than that of the fingerprint")
    }

    @Test(
        "what can't be meant is said",
        arguments: [
            (["view", "tower@127.0.0.1"], "not paired with a host called 'tower'"),
            (["view", "--link", "bluetooth", "tower"], "give auto, udp, tcp, ice, relay or rendezvous"),
            (
                ["view", "--close-at-end", "--link", "ice", "heliograph://127.0.0.1:1/#0000-0000-0000-0000"],
                "names no rendezvous server"
            ),
            (["share", "--rendezvous", "ftp://somewhere"], "https://HOST"),
            (["share", "--rendezvous", "http://rendezvous.example.org"], "without TLS"),
        ])
    func mistakes(arguments: [String], sentence: String) throws {
        let desktop = try Desktop(Self.size)
        let program = try desktop.start(
            SharedDesktop.heliograph, arguments,
            environment: SharedDesktop.noSound.merging(["HELIOGRAPH_HOME": folder.path + "/home"]) { $1 })
        #expect(program.waitUntilExit() != 0)
        #expect(program.text.contains(sentence), "\(program.text)")
    }
}
