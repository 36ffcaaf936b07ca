internal import ArgumentParser
private import Foundation
private import HelioCore
private import HelioProtection
private import HelioRendezvousServer
private import Heliograph
private import NIOPosix

/// `heliograph rendezvous`: the server by which paired devices find each other from any network.
struct RendezvousCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rendezvous", abstract: "Run the server by which devices reach each other from any network.",
        discussion: """
            Knows devices by their keys and passes sealed messages between them; sees no screen and no input. With \
            --certificate it serves HTTPS itself; without, HTTP on this machine alone, for a proxy that has HTTPS: \
            then give --trusted-proxy.

            Browsers that open a host's link get the page here, and call the host by it.

            /health says ok; /metrics, to this machine and --metrics-to, what goes on, in Prometheus' format. Ctrl-C \
            lets the devices go elsewhere and ends it.
            """)

    @Option(
        help: ArgumentHelp(
            "Address to listen on. Default: all with --certificate, else 127.0.0.1.", valueName: "address"))
    var listen: String?

    @Option(help: ArgumentHelp("TCP port, 0 for any free one.", valueName: "port"))
    var port = 8443

    @Option(
        help: ArgumentHelp(
            "Certificate for HTTPS (PEM), with its chain behind it. Looked at every minute, as it is renewed.",
            valueName: "file"), completion: .file())
    var certificate: String?

    @Option(
        help: ArgumentHelp("Key of the certificate (PEM), readable by you alone.", valueName: "file"),
        completion: .file())
    var key: String?

    @Option(
        help: ArgumentHelp(
            "Name by which devices know this server, HOST or HOST:PORT; other names are refused. Repeatable.",
            valueName: "name"))
    var name: [String] = []

    @Option(
        help: ArgumentHelp(
            """
            SQLite file of the devices and whom they permit; 'off': none. Default: rendezvous.sqlite beside the keys, \
            but with --bus the NATS servers, which need JetStream for it.
            """, valueName: "file"), completion: .file())
    var store: String?

    @Option(
        help: ArgumentHelp(
            """
            NATS server by which this instance meets others, nats://HOST[:PORT] or tls://HOST[:PORT]. Repeatable, for \
            the servers of one cluster.
            """, valueName: "url"))
    var bus: [String] = []

    @Option(
        help: ArgumentHelp(
            "NATS's .creds file, or one with a line USER:PASSWORD or a token; readable by you alone.",
            valueName: "file"), completion: .file())
    var busCredentials: String?

    @Option(
        help: ArgumentHelp(
            "Certificates (PEM) that have signed those of tls:// servers. Default: the system's.", valueName: "file"),
        completion: .file())
    var busCa: String?

    @Option(
        help: ArgumentHelp(
            "turn:HOST[:PORT][?transport=tcp] or turns:…, which devices may use to reach each other. Repeatable.",
            valueName: "url"))
    var turn: [String] = []

    @Option(
        help: ArgumentHelp(
            "File with the secret of the TURN servers (coturn's use-auth-secret), readable by you alone.",
            valueName: "file"), completion: .file())
    var turnSecretFile: String?

    @Option(
        help: ArgumentHelp(
            "Believe this proxy's X-Forwarded-Proto, -Host and -For: the IP address that it connects from. Repeatable.",
            valueName: "address"))
    var trustedProxy: [String] = []

    @Option(help: ArgumentHelp("IP address that may read /metrics too. Repeatable.", valueName: "address"))
    var metricsTo: [String] = []

    @Option(help: ArgumentHelp("Most devices at once. Each takes an open file.", valueName: "count"))
    var devices = RendezvousServiceSettings.usualDevices

    @Option(
        help: ArgumentHelp(
            "Most devices that may connect in a second, after a restart for example.", valueName: "count"))
    var newcomers = RendezvousServiceSettings.usualNewcomers

    /// The most TURN servers that a call is told of.
    private static let mostTURN = 8
    /// The files that the program has open beside its devices' sockets, with some to spare.
    private static let otherFiles = 64

    private var isLocal: Bool { listen.map { $0 == "localhost" || IPAddress($0)?.isLoopback ?? false } ?? true }

    func validate() throws {
        guard (0...65535).contains(port) else { throw ValidationError("--port \(port): give one from 0 to 65535.") }
        guard (certificate == nil) == (key == nil) else {
            throw ValidationError("--certificate and --key: give both, or neither behind a proxy.")
        }
        if certificate == nil, !isLocal, trustedProxy.isEmpty {
            throw ValidationError(
                "--listen \(listen ?? ""): other machines would speak to it without TLS. Give --certificate and --key, "
                    + "or --trusted-proxy if a proxy does that.")
        }
        for address in trustedProxy where IPAddress(address) == nil {
            throw ValidationError("--trusted-proxy \(address): give the IP address that the proxy connects from.")
        }
        for address in metricsTo where IPAddress(address) == nil {
            throw ValidationError("--metrics-to \(address): give an IP address.")
        }
        for name in name where Authority.parse(Substring(name), excluding: "@[]/\\\"") == nil {
            throw ValidationError("--name \(name): give HOST or HOST:PORT.")
        }
        try OptionNeed.check(
            "--bus", !bus.isEmpty, for: [("--bus-credentials", busCredentials != nil), ("--bus-ca", busCa != nil)])
        guard turn.isEmpty == (turnSecretFile == nil) else {
            throw ValidationError("--turn and --turn-secret-file: give both, or neither.")
        }
        for url in turn where !(url.hasPrefix("turn:") || url.hasPrefix("turns:")) || url.utf8.count > 255 {
            throw ValidationError("--turn \(url): give turn:HOST[:PORT] or turns:HOST[:PORT].")
        }
        guard (1...10_000_000).contains(devices) else {
            throw ValidationError("--devices \(devices): give a number from 1 to 10000000.")
        }
        guard (1...1_000_000).contains(newcomers) else {
            throw ValidationError("--newcomers \(newcomers): give a number from 1 to 1000000.")
        }
        guard turn.count <= Self.mostTURN else {
            throw ValidationError("--turn: give at most \(Self.mostTURN), the others would never be used.")
        }
    }

    func run() async throws {
        var settings = RendezvousServiceSettings(
            address: listen ?? (certificate == nil ? "127.0.0.1" : "0.0.0.0"), port: port)
        if let certificate, let key { settings.certificate = CertificateFiles(certificate: certificate, key: key) }
        settings.names = name
        settings.limit(devices: allowedDevices(), newcomers: newcomers)
        settings.page = PageFiles.forRendezvous()
        // The program has 1.7 s from Ctrl-C.
        settings.drainTime = .milliseconds(700)
        settings.closeTimeout = .milliseconds(400)
        settings.tick = .milliseconds(400)
        settings.proxies = Set(trustedProxy.compactMap { IPAddress($0)?.unmapped })
        settings.observers = Set(metricsTo.compactMap { IPAddress($0)?.unmapped })
        if let turnSecretFile {
            let secret = try TURNCredentialsFile.readSecret(turnSecretFile, of: "--turn-secret-file")
            settings.turn = .init(urls: turn, secret: SecretBytes(Array(secret.utf8)))
        }
        if !bus.isEmpty {
            settings.bus = try BusPlace(parsing: bus, credentialsFile: busCredentials, authorities: busCa)
        }
        let facts = try openStore(settings.bus)
        let service = RendezvousService(
            settings, store: facts, on: MultiThreadedEventLoopGroup.singleton.next(), report: Self.tell)
        StopSignals.take()
        try await service.start()
        try greet(settings, port: service.localPort ?? port)
        await StopSignals.wait()
        say("Ending: the devices are told to connect elsewhere.")
        await service.stop()
    }

    /// Returns how many devices may be connected: as many as are asked for, if the system allows so many open files.
    private func allowedDevices() -> Int {
        let files = OpenFiles.allow(devices + Self.otherFiles)
        guard files < devices + Self.otherFiles else { return devices }
        let allowed = max(1, files - Self.otherFiles)
        Output.warn(
            "Only \(allowed) devices at once, as this program may have \(files) files open: raise that limit by "
                + "LimitNOFILE= in a systemd unit, or by 'ulimit -n'.")
        return allowed
    }

    /// The path of the store's file; `nil` if the devices are kept elsewhere, or nowhere.
    private var storeFile: String? {
        if store == "off" || store == nil && !bus.isEmpty { return nil }
        return store ?? HeliographHome.path + "/rendezvous.sqlite"
    }

    private func openStore(_ bus: BusPlace?) throws -> any RendezvousStoring {
        guard let path = storeFile else {
            if store == nil, let bus { return try SharedStores.make(bus) }
            return MemoryStore()
        }
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        try? FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        return try SQLiteStore(path: path)
    }

    private func greet(_ settings: RendezvousServiceSettings, port: Int) throws {
        let host = name.first.flatMap { Authority.parse(Substring($0))?.host } ?? settings.address
        let shown = Authority.text(host, port: port)
        if let certificate = settings.certificate {
            say("Rendezvous server: https://\(shown)")
            say("If no authority has signed its certificate: https://\(shown)#\(try certificate.fingerprint())")
        } else {
            say("Rendezvous server: http://\(shown), for this machine and the proxies it trusts")
        }
        if name.isEmpty, !isLocal || certificate != nil {
            Output.warn(
                "Any name is accepted: give --name, so that no other server can register devices here as its own.")
        }
        if let storeFile {
            say("Devices are kept in \(storeFile)" + (bus.isEmpty ? "" : ", by this instance alone"))
        } else if store == nil {
            say("Devices are kept by the NATS servers")
        } else {
            say("Devices are forgotten when it ends.")
        }
        if !turn.isEmpty { say("TURN servers for the devices: \(turn.joined(separator: ", "))") }
    }

    @Sendable private static func tell(_ news: RendezvousServiceNews) {
        switch news {
        case .certificateChanged: say("The certificate was renewed.")
        case .certificateUnreadable(let why): Output.warn("\(why) The earlier certificate stays.")
        case .storeFailed(let changes): Output.warn("The store could not write \(changes) changes: is the disk full?")
        case .storeUnreadable(let why): Output.warn("\(why) It is tried again.")
        case .busConnected: say("The NATS server is there: this instance meets the others.")
        case .busLost(let why):
            Output.warn(
                "No NATS server: \(why). This instance serves its own devices alone until there is one; running calls "
                    + "among them go on. See that nats-server runs where --bus says.")
        }
    }
}
