import Foundation

/// Debian's NATS server, a third-party message bus, on loopback. Ends with this object.
package final class NATSServer {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    private static let program = "/usr/sbin/nats-server"

    package let port: UInt16
    package var url: String { "\(certificate == nil ? "nats" : "tls")://127.0.0.1:\(port)" }
    /// The path of the self-signed certificate for the address, which clients can use as trust anchor.
    package let certificate: String?
    private let folder: URL
    private var running: LoggedProgram?

    /// - Parameters:
    ///   - keeps: true with JetStream, whose contents outlive a restart of this server.
    ///   - user: the only user that may connect, with a password; `nil` lets anybody in.
    ///   - address: the address for which the server's certificate is; `nil` without TLS.
    ///   - starts: false to start it later.
    package init(
        keeps: Bool = false, user: (name: String, password: String)? = nil, certifiedFor address: String? = nil,
        starts: Bool = true
    ) throws {
        guard FileManager.default.isExecutableFile(atPath: Self.program) else {
            throw Failure(description: "\(Self.program) is missing: script/install-packages test")
        }
        guard let port = LoopbackPort.find() else { throw Failure(description: "no port is free") }
        self.port = port
        folder = FileManager.default.temporaryDirectory.appending(path: "heliograph-nats-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        certificate = address == nil ? nil : folder.path + "/certificate.pem"
        var lines = ["listen: \"127.0.0.1:\(port)\""]
        if keeps { lines.append("jetstream { store_dir: \"\(folder.path)/kept\" }") }
        if let user { lines.append("authorization { user: \"\(user.name)\", password: \"\(user.password)\" }") }
        if let address {
            try Tool.run([
                "env", "-C", folder.path, "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
                "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", "/CN=bus.example", "-addext",
                "subjectAltName=IP:\(address)", "-keyout", "key.pem", "-out", "certificate.pem",
            ])
            lines.append(
                "tls { cert_file: \"\(folder.path)/certificate.pem\", key_file: \"\(folder.path)/key.pem\" }")
        }
        try Data(lines.joined(separator: "\n").utf8).write(to: folder.appending(path: "nats.conf"))
        if starts { try start() }
    }

    deinit {
        stop()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Starts the server, again if it was stopped, at the same port.
    package func start() throws {
        let program = try LoggedProgram(
            [Self.program, "--config", folder.appending(path: "nats.conf").path], environment: [:], folder: folder.path)
        try program.wait(for: "Server is ready")
        running = program
    }

    /// Kills the server without a goodbye.
    package func stop() {
        running?.kill()
        running = nil
    }

    /// Stops the server's work: it keeps its connections, and answers nothing.
    package func pause() { running?.send(SIGSTOP) }

    package func resume() { running?.send(SIGCONT) }

    /// Publishes messages to a subject, as anybody who can reach the server may, and waits until it has them.
    package func publish(_ messages: [[UInt8]], to subject: String) throws {
        let descriptor = LoopbackSocket.open(SOCK_STREAM, isBlocking: true)
        defer { close(descriptor) }
        guard LoopbackSocket.connect(descriptor, to: "127.0.0.1", port) else {
            throw Failure(description: "the NATS server takes no connection")
        }
        var bytes = Array("CONNECT {\"verbose\":false}\r\n".utf8)
        for message in messages {
            bytes += Array("PUB \(subject) \(message.count)\r\n".utf8) + message + Array("\r\n".utf8)
        }
        bytes += Array("PING\r\n".utf8)
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { send(descriptor, $0.baseAddress! + sent, $0.count - sent, 0) }
            guard count > 0 else { throw Failure(description: "the NATS server has closed the connection") }
            sent += count
        }
        // The server says INFO first, and PONG once it has taken everything.
        let patience = Patience()
        var said: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4096)
        while !String(decoding: said, as: UTF8.self).contains("PONG") {
            guard patience.waitToRead(descriptor) else { break }
            let count = recv(descriptor, &piece, piece.count, 0)
            guard count > 0 else { break }
            said += piece[..<count]
        }
        let text = String(decoding: said, as: UTF8.self)
        guard text.contains("PONG"), !text.contains("-ERR") else {
            throw Failure(description: "the NATS server does not take messages: \(text)")
        }
    }
}
