package import Foundation
package import HelioCore

/// `heliograph rendezvous` and a TURN server on the internet, and `heliograph share` in one of two homes, run as by
/// users. Ends with this object.
package final class FarHost {
    package static let size = PixelSize(width: 640, height: 360)
    private static let program = RunningProgram.built("heliograph")

    package let world: TwoHomes
    package let source: Desktop
    /// The rendezvous' address with the fingerprint of its certificate.
    package let url: String
    package let rendezvous: RunningProgram
    package let share: RunningProgram
    /// For files of the programs in both homes.
    package let folder: URL
    private let turn: PublicTURN
    private var lastLink = ""
    private var lastPageLink = ""

    /// - Parameters:
    ///   - host: the kind of the host's router when it begins to share.
    ///   - ipv6: the homes that have IPv6 too.
    ///   - hasTURNAtWebPort: true if TURN by TCP at HTTPS' port is lent too.
    ///   - arguments: further arguments of `heliograph share`.
    ///   - code: the code by which a device pairs with the host; `nil` for none.
    package init(
        host: RouterKind = .portRestricted, ipv6: [TwoHomes.Home] = [], hasTURNAtWebPort: Bool = false,
        share arguments: [String] = [], code: String? = nil
    ) throws {
        world = try TwoHomes()
        turn = try PublicTURN(in: world)
        source = try Desktop(Self.size)
        folder = FileManager.default.temporaryDirectory.appending(path: "heliograph-far-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Tool.run([
            "env", "-C", folder.path, "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
            "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", "/CN=rendezvous.example", "-addext",
            "subjectAltName=IP:\(TwoHomes.rendezvous)", "-keyout", "key.pem", "-out", "certificate.pem",
        ])
        chmod(folder.path + "/key.pem", 0o600)
        let servers = turn.urls + (hasTURNAtWebPort ? [turn.webPortURL] : [])
        rendezvous = try world.internet.start(
            Self.program,
            [
                "rendezvous", "--listen", TwoHomes.rendezvous, "--port", "443", "--name", TwoHomes.rendezvous,
                "--store", "off", "--certificate", folder.path + "/certificate.pem", "--key",
                folder.path + "/key.pem", "--turn-secret-file", turn.secretFile,
            ] + servers.flatMap { ["--turn", $0] },
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
        share = try world.machine(.host).start(
            Self.program,
            ["share", "--no-discovery", "--rendezvous", url, "--link-file", folder.path + "/link"] + arguments,
            environment: Self.environment(source, folder, .host))
    }

    deinit {
        share.kill()
        rendezvous.kill()
        try? FileManager.default.removeItem(at: folder)
    }

    /// The environment of a program in a home: without sound, and without a proxy, even if this machine has one.
    package static func environment(_ screen: Desktop, _ folder: URL, _ home: TwoHomes.Home) -> [String: String] {
        [
            "DISPLAY": screen.display, "HELIOGRAPH_HOME": "\(folder.path)/\(home.rawValue)",
            "PULSE_SERVER": "unix:/nonexistent", "HTTPS_PROXY": "", "https_proxy": "", "NO_PROXY": "", "no_proxy": "",
        ]
    }

    /// Waits until the host can be reached by the rendezvous.
    package func waitUntilReached(within limit: Duration = RunningProgram.patience) throws {
        try share.line(with: "Reached from any network", within: limit)
    }

    /// Ends the TURN server; the rendezvous goes on to name it.
    package func stopTURN() { turn.stop() }

    // MARK: Links

    /// The host's present link; empty while there is none.
    package var link: String { (try? String(contentsOfFile: folder.path + "/link", encoding: .utf8)) ?? "" }

    /// Returns an unused link: the host writes a new one as soon as one is used.
    package func newLink() throws -> String {
        lastLink = try new(after: lastLink) { link }
        return lastLink
    }

    /// Returns an unused link to the rendezvous' page for browsers, as the host shows it.
    package func newPageLink() throws -> String {
        lastPageLink = try new(after: lastPageLink) {
            share.text.matches(of: /From any network: +(https:\/\/\S+)/).last.map { String($0.output.1) } ?? ""
        }
        return lastPageLink
    }

    private func new(after last: String, _ current: () -> String) throws -> String {
        var link = ""
        let isNew = Patience(.seconds(20)).wait {
            link = current()
            return !link.isEmpty && link != last
        }
        guard isNew else { throw RunningProgram.Ended(description: "no new link: \(share.text.lastLines)") }
        return link
    }

    // MARK: Pictures

    /// Fills the host's screen with a colour.
    package func paint(_ color: UInt32) {
        source.fill([(color, PixelRect(x: 0, y: 0, width: Self.size.width, height: Self.size.height))])
    }

    /// Changes much of the host's screen.
    package func stir() {
        source.fill(
            (0..<60).map { _ in
                let (x, y) = (Int.random(in: 0..<600), Int.random(in: 0..<330))
                return (UInt32.random(in: 0...0xFF_FFFF), PixelRect(x: x, y: y, width: 40, height: 30))
            })
    }

    /// Draws on the host's screen until pictures come to the viewer's home by one way for a while: at least 20 kB, and
    /// four times as much as by the others.
    ///
    /// - Parameters:
    ///   - way: the awaited way; `nil` for any.
    ///   - next: waits for a sign of the viewer after each change, and returns it.
    /// - Returns: the way, and the last sign.
    package func way<Sign>(
        _ way: TwoHomes.Way?, _ patience: Patience, next: () throws -> Sign
    ) throws -> (TwoHomes.Way, Sign) {
        var (before, turns) = (try world.received(at: .viewer), 0)
        var seen: [String] = []
        while !patience.isOver {
            stir()
            let sign = try next()
            let now = try world.received(at: .viewer)
            let gained = TwoHomes.Way.allCases.map { ($0, (now[$0] ?? 0) - (before[$0] ?? 0)) }
            let sum = gained.reduce(0) { $0 + $1.1 }
            if let best = gained.max(by: { $0.1 < $1.1 }), best.1 >= 20_000, best.1 * 5 >= sum * 4,
                way == nil || way == best.0
            {
                return (best.0, sign)
            }
            // What came by another way before is forgotten.
            turns += 1
            if turns % 10 == 0 { (before, seen) = (now, gained.map { "\($0.0): \($0.1)" }) }
        }
        throw RunningProgram.Ended(
            description: "pictures don't come by \(way?.rawValue ?? "one way") but by \(seen) bytes")
    }
}
