import Foundation
import HelioCore
import HelioTestPrograms

/// `heliograph rendezvous` on the internet, `heliograph share` in one home and any number of `heliograph view` in
/// another, run as by users.
final class FarDesktop {
    static let size = PixelSize(width: 640, height: 360)
    private static let name = "rendezvous"

    let world: TwoHomes
    let source: Desktop
    let destination: Desktop
    /// The rendezvous' address with the fingerprint of its certificate.
    let url: String
    let rendezvous: RunningProgram
    private(set) var share: RunningProgram
    private let turn: PublicTURN
    private let windowManager: RunningProgram
    private let folder: URL
    private var lastLink = ""

    /// - Parameters:
    ///   - host: the kind of the host's router when it begins to share.
    ///   - ipv6: the homes that have IPv6 too.
    ///   - arguments: further arguments of `heliograph share`.
    ///   - code: the code by which a device pairs with the host; `nil` for none.
    init(
        host: RouterKind = .portRestricted, ipv6: [TwoHomes.Home] = [], share arguments: [String] = [],
        code: String? = nil
    ) throws {
        world = try TwoHomes()
        turn = try PublicTURN(in: world)
        source = try Desktop(Self.size)
        destination = try Desktop(Self.size)
        windowManager = try destination.startWindowManager()
        folder = FileManager.default.temporaryDirectory.appending(path: "heliograph-far-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Tool.run([
            "env", "-C", folder.path, "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
            "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", "/CN=rendezvous.example", "-addext",
            "subjectAltName=IP:\(TwoHomes.rendezvous)", "-keyout", "key.pem", "-out", "certificate.pem",
        ])
        chmod(folder.path + "/key.pem", 0o600)
        rendezvous = try world.internet.start(
            SharedDesktop.heliograph,
            [
                "rendezvous", "--listen", TwoHomes.rendezvous, "--port", "443", "--name", TwoHomes.rendezvous,
                "--store", "off", "--certificate", folder.path + "/certificate.pem", "--key",
                folder.path + "/key.pem", "--turn-secret-file", turn.secretFile,
            ] + turn.urls.flatMap { ["--turn", $0] },
            environment: ["HELIOGRAPH_HOME": folder.path + "/rendezvous"])
        let told = try rendezvous.line("its address with the fingerprint") { $0.contains("#") }
        url = told.split(separator: " ").last.map(String.init) ?? ""
        try world.setRouter(host, of: .host)
        for home in ipv6 { try world.setIPv6(true, at: home) }
        var arguments = arguments
        if let code {
            _ = FileManager.default.createFile(
                atPath: folder.path + "/code", contents: Data(code.utf8), attributes: [.posixPermissions: 0o600])
            arguments += ["--pair-code-file", folder.path + "/code"]
        }
        share = try Self.share(source, in: world, by: url, folder, arguments)
    }

    private static func share(
        _ source: Desktop, in world: TwoHomes, by url: String, _ folder: URL, _ arguments: [String]
    ) throws -> RunningProgram {
        try world.machine(.host).start(
            SharedDesktop.heliograph,
            ["share", "--no-discovery", "--rendezvous", url, "--link-file", folder.path + "/link"] + arguments,
            environment: environment(source, folder, "host"))
    }

    /// The environment of a program in a home: without a proxy, even if this machine has one.
    private static func environment(_ screen: Desktop, _ folder: URL, _ home: String) -> [String: String] {
        SharedDesktop.noSound.merging([
            "DISPLAY": screen.display, "HELIOGRAPH_HOME": "\(folder.path)/\(home)", "HTTPS_PROXY": "",
            "https_proxy": "", "NO_PROXY": "", "no_proxy": "",
        ]) { $1 }
    }

    deinit {
        share.kill()
        rendezvous.kill()
        windowManager.kill()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Waits until the host can be reached by the rendezvous.
    func waitUntilReached(within limit: Duration = RunningProgram.patience) throws {
        try share.line(with: "Reached from any network", within: limit)
    }

    /// Starts a command on the viewer's machine.
    func start(_ arguments: [String]) throws -> RunningProgram {
        try world.machine(.viewer).start(
            SharedDesktop.heliograph, arguments, environment: Self.environment(destination, folder, "viewer"))
    }

    /// Pairs the viewer's machine with the host, by a new link and the code.
    func pair() throws -> RunningProgram {
        try start(["pair", try newLink(), "--code-file", folder.path + "/code"])
    }

    /// The file of the hosts that the viewer's machine is paired with.
    var hosts: URL { folder.appending(path: "viewer/hosts.json") }

    /// Starts a viewer with a new link; the file with the link is its own.
    ///
    /// - Parameter proxy: the HTTP proxy that its network has, if any.
    func watch(_ arguments: [String] = [], proxy: String? = nil) throws -> FarViewer {
        let file = "\(folder.path)/link-\(UUID().uuidString)"
        _ = FileManager.default.createFile(
            atPath: file, contents: Data(try newLink().utf8), attributes: [.posixPermissions: 0o600])
        let began = Instant.now
        let program = try world.machine(.viewer).start(
            SharedDesktop.heliograph,
            ["view", "--link-file", file, "--fullscreen"] + SharedDesktop.statistics + arguments,
            environment: Self.environment(destination, folder, "viewer")
                .merging(proxy.map { ["HTTPS_PROXY": $0] } ?? [:]) { $1 })
        return FarViewer(program, of: self, began: began)
    }

    /// The host's present link; empty while there is none.
    var link: String { (try? String(contentsOfFile: folder.path + "/link", encoding: .utf8)) ?? "" }

    /// Returns an unused link: the host writes a new one as soon as one is used.
    private func newLink() throws -> String {
        var link = ""
        let isNew = Patience(.seconds(20)).wait {
            link = self.link
            return !link.isEmpty && link != lastLink
        }
        guard isNew else { throw RunningProgram.Ended(description: "no new link: \(share.text.lastLines)") }
        lastLink = link
        return link
    }

    /// Fills the host's screen with a colour.
    func paint(_ color: UInt32) {
        source.fill([(color, PixelRect(x: 0, y: 0, width: Self.size.width, height: Self.size.height))])
    }

    /// Changes much of the host's screen.
    func stir() {
        source.fill(
            (0..<60).map { _ in
                let (x, y) = (Int.random(in: 0..<600), Int.random(in: 0..<330))
                return (UInt32.random(in: 0...0xFF_FFFF), PixelRect(x: x, y: y, width: 40, height: 30))
            })
    }
}
