import Foundation

/// Debian's coturn, a third-party TURN server, on loopback or one of this machine's addresses, with UDP and TCP on one
/// port. Ends with this object.
///
/// Any test may use it: it needs only a free port and a folder of its own. Its arguments contain no secrets.
package final class Coturn {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    private static let patience = Duration.seconds(20)
    private static let program = "/usr/bin/turnserver"

    package static let realm = "relay.example"
    package let username = "anna"
    /// A new password for each server.
    package let password = UUID().uuidString
    /// The port at `address`, and at ::1 if there is IPv6.
    package private(set) var port: UInt16 = 0
    /// The TLS port, if the server has a certificate.
    package private(set) var tlsPort: UInt16 = 0
    /// The path of the self-signed certificate for `address`, which clients can use as trust anchor.
    package let certificate: String?
    package let address: String
    private let folder: URL
    private var process = Process()
    private var output = Pipe()
    private var said = ""

    /// - Parameter lines: additional lines of its configuration file, for example `user-quota=1`.
    package init(
        _ lines: [String] = [], address: String = "127.0.0.1", ipv6: Bool = IPv6Machine.isThisOne, hasTLS: Bool = false
    ) throws {
        self.address = address
        guard FileManager.default.isExecutableFile(atPath: Self.program) else {
            throw Failure(description: "\(Self.program) is missing: script/install-packages test")
        }
        folder = FileManager.default.temporaryDirectory.appending(path: "heliograph-coturn-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        certificate = hasTLS ? folder.appending(path: "certificate.pem").path : nil
        if hasTLS { try Self.makeCertificate(for: address, in: folder) }
        // Another process may take a port before the server does.
        for attempt in 1...5 {
            do {
                try start(lines, ipv6: ipv6)
                break
            } catch  where attempt < 5 {
                stop()
            }
        }
    }

    private static func makeCertificate(for address: String, in folder: URL) throws {
        let openssl = Process()
        openssl.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
        openssl.arguments = [
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
            "-subj", "/CN=\(realm)", "-addext", "subjectAltName=IP:\(address)", "-keyout", "key.pem", "-out",
            "certificate.pem",
        ]
        openssl.currentDirectoryURL = folder
        openssl.standardInput = FileHandle.nullDevice
        openssl.standardOutput = FileHandle.nullDevice
        openssl.standardError = FileHandle.nullDevice
        try openssl.run()
        openssl.waitUntilExit()
        guard openssl.terminationStatus == 0 else { throw Failure(description: "openssl makes no certificate") }
    }

    deinit {
        stop()
        try? FileManager.default.removeItem(at: folder)
    }

    package func stop() {
        output.fileHandleForReading.readabilityHandler = nil
        guard process.isRunning else { return }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    private func start(_ lines: [String], ipv6: Bool) throws {
        guard let port = LoopbackPort.find(ipv6: ipv6) else { throw Failure(description: "no port is free") }
        self.port = port
        var tls = ["no-tls"]
        if let certificate {
            guard let other = LoopbackPort.find(ipv6: ipv6) else {
                throw Failure(description: "no second port is free")
            }
            tlsPort = other
            tls = [
                "tls-listening-port=\(other)", "cert=\(certificate)", "pkey=\(folder.appending(path: "key.pem").path)",
            ]
        }
        let addresses = ipv6 ? [address, "::1"] : [address]
        let all =
            addresses.flatMap { ["listening-ip=\($0)", "relay-ip=\($0)"] } + [
                "listening-port=\(port)", "lt-cred-mech", "user=\(username):\(password)", "realm=\(Self.realm)",
                "no-dtls", "no-cli", "no-rfc5780", "allow-loopback-peers", "log-file=stdout", "simple-log",
                "userdb=\(folder.appending(path: "users").path)", "pidfile=\(folder.appending(path: "pid").path)",
            ] + tls + lines
        let file = folder.appending(path: "turnserver.conf")
        try Data(all.joined(separator: "\n").utf8).write(to: file)
        process = Process()
        output = Pipe()
        said = ""
        process.executableURL = URL(fileURLWithPath: Self.program)
        process.arguments = ["-c", file.path]
        process.currentDirectoryURL = folder
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = output
        try process.run()
        try output.fileHandleForWriting.close()
        // Logged once it listens.
        let patience = Patience(Self.patience)
        while !said.contains("IO method (admin thread)") { try readMore(patience) }
        // Its threads start in any order: the log line may precede the accepting thread.
        guard patience.wait(until: { LoopbackPort.listens(port, at: address) }) else {
            throw Failure(description: "coturn takes no connections: \(said)")
        }
        // Later output is discarded, so that it doesn't block the server.
        output.fileHandleForReading.readabilityHandler = { if $0.availableData.isEmpty { $0.readabilityHandler = nil } }
    }

    private func readMore(_ patience: Patience) throws {
        guard patience.waitToRead(output.fileHandleForReading.fileDescriptor), !patience.isOver else {
            throw Failure(description: "coturn does not get ready: \(said)")
        }
        let data = output.fileHandleForReading.availableData
        if data.isEmpty { throw Failure(description: "coturn ended: \(said)") }
        said += String(decoding: data, as: UTF8.self)
        if said.contains("annot bind") || said.contains("FATAL") {
            throw Failure(description: "coturn can't start: \(said)")
        }
    }
}
