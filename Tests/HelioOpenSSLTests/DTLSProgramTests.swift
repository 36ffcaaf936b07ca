import Foundation
import HelioCore
import HelioOpenSSL
import HelioProtection
import HelioTestLanes
import HelioTestPrograms
import Testing

@Suite("DTLS with the openssl program", .tags(.quiet))
struct DTLSProgramTests {
    static let keys = [
        ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"], ["-newkey", "rsa:2048"],
    ]
    static let profiles: [(name: String, profile: SRTPProfile)] = [
        ("SRTP_AES128_CM_SHA1_80", .aes128CmHmacSha1_80), ("SRTP_AEAD_AES_128_GCM", .aeadAes128Gcm),
        ("SRTP_AEAD_AES_256_GCM", .aeadAes256Gcm),
    ]

    /// Runs an end on the system's clock until `isDone`.
    private func drive(_ end: DTLSEnd, _ socket: UDPSocket, until isDone: () throws -> Bool) throws {
        let clock = ContinuousClock()
        let start = clock.now
        var now = Instant.zero
        repeat {
            while let datagram = end.pollDatagram(now: now) { socket.send(datagram) }
            if try isDone() { return }
            let wait = min(end.deadline.map { $0.at - now } ?? .seconds(1), .milliseconds(100))
            let datagram = socket.receive(milliseconds: Int32(wait.nanoseconds / 1_000_000) + 1)
            now = .zero + (clock.now - start)
            if let datagram { end.receive(datagram, now: now) }
            if let due = end.deadline, due.at <= now { end.tick(now: now) }
        } while now < .zero + .seconds(20)
        Issue.record("nothing within 20 s: \(String(describing: end.failure))")
    }

    /// The exporter's output, in its order.
    private func exported(_ keys: SRTPKeyPair, _ role: DTLSRole) -> String {
        let (client, server) = role == .client ? (keys.local, keys.remote) : (keys.remote, keys.local)
        return (client.key.bytes + server.key.bytes + client.salt.bytes + server.salt.bytes)
            .map { String(format: "%02X", $0) }.joined()
    }

    private func arguments(_ profile: String, _ length: Int, _ folder: URL) -> [String] {
        [
            "-dtls1_2", "-use_srtp", profile, "-keymatexport", SRTPKeyPair.exporterLabel, "-keymatexportlen",
            "\(length)", "-cert", folder.appending(path: "cert.pem").path, "-key",
            folder.appending(path: "key.pem").path,
        ]
    }

    private func withFolder(_ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "helio-dtls-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder)
    }

    /// Checks that the keys agree, and that a line arrives in each direction.
    private func check(
        _ end: DTLSEnd, _ role: DTLSRole, _ profile: SRTPProfile, _ program: OpenSSLProgram, _ socket: UDPSocket
    ) throws {
        try drive(end, socket) { end.isDecided }
        #expect(end.failure == nil)
        let keys = try #require(end.session?.srtp)
        #expect(keys.profile == profile)
        #expect(try program.rest(after: "Keying material: ") == exported(keys, role))
        try program.write("from the program\n")
        try drive(end, socket) { !end.received.isEmpty }
        #expect(end.received == [Array("from the program\n".utf8)])
        try end.transport.send(Array("from the library\n".utf8))
        try drive(end, socket) { true }
        #expect(try program.rest(after: "from the ") == "library")
        end.transport.close()
        try drive(end, socket) { end.isClosed }
    }

    @Test("as client", .timeLimit(.minutes(2)), arguments: profiles.map(\.name), keys)
    func client(_ name: String, _ key: [String]) throws {
        let profile = try #require(Self.profiles.first { $0.name == name }).profile
        try withFolder { folder in
            let fingerprint = try OpenSSLProgram.makeCertificate(in: folder, key: key)
            let program = try OpenSSLProgram(
                ["s_server", "-accept", "127.0.0.1:0", "-Verify", "1", "-mtu", "1200"]
                    + arguments(name, SRTPKeyPair.exportedLength(profile), folder))
            let port = try #require(UInt16(try program.rest(after: "ACCEPT 127.0.0.1:")))
            let socket = try UDPSocket()
            try socket.connect(to: port)
            let end = try DTLSEnd(.client, expects: [fingerprint])
            try check(end, .client, profile, program, socket)
        }
    }

    @Test("as server", .timeLimit(.minutes(2)), arguments: profiles.map(\.name), keys)
    func server(_ name: String, _ key: [String]) throws {
        let profile = try #require(Self.profiles.first { $0.name == name }).profile
        try withFolder { folder in
            let fingerprint = try OpenSSLProgram.makeCertificate(in: folder, key: key)
            let socket = try UDPSocket()
            let program = try OpenSSLProgram(
                ["s_client", "-connect", "127.0.0.1:\(socket.port)", "-mtu", "1200"]
                    + arguments(name, SRTPKeyPair.exportedLength(profile), folder))
            let hello = try socket.accept(milliseconds: 20_000)
            let end = try DTLSEnd(.server, expects: [fingerprint]) { $0.asksForCookie = true }
            end.receive(hello, now: .zero)
            try check(end, .server, profile, program, socket)
        }
    }

    /// ChaCha20-Poly1305's overhead is eight bytes less than AES-GCM's: a record too short for AES-GCM may be genuine.
    @Test(
        "with ChaCha20-Poly1305 short records are data, and forged ones of any length end nothing",
        .timeLimit(.minutes(2)))
    func chaCha() throws {
        try withFolder { folder in
            let fingerprint = try OpenSSLProgram.makeCertificate(in: folder, key: Self.keys[0])
            let socket = try UDPSocket()
            let program = try OpenSSLProgram(
                ["s_client", "-connect", "127.0.0.1:\(socket.port)", "-mtu", "1200", "-cipher", "ECDHE+CHACHA20"]
                    + arguments("SRTP_AEAD_AES_128_GCM", 56, folder))
            let hello = try socket.accept(milliseconds: 20_000)
            let end = try DTLSEnd(.server, expects: [fingerprint])
            end.receive(hello, now: .zero)
            try drive(end, socket) { end.isDecided }
            #expect(end.session?.cipher == "ECDHE-ECDSA-CHACHA20-POLY1305")
            for type in 20...23 as ClosedRange<UInt8> {
                for count in 0...40 as ClosedRange<UInt8> {
                    end.receive(
                        DTLSHostileTests.record(type, epoch: 1, [UInt8](repeating: 1, count: Int(count))), now: .zero)
                }
            }
            try program.write("x\n")
            try drive(end, socket) { !end.received.isEmpty || end.failure != nil || end.isClosed }
            #expect(end.failure == nil && !end.isClosed && end.received == [Array("x\n".utf8)])
        }
    }

    @Test("a program with another certificate is refused", .timeLimit(.minutes(2)))
    func stranger() throws {
        try withFolder { folder in
            _ = try OpenSSLProgram.makeCertificate(in: folder, key: Self.keys[0])
            let socket = try UDPSocket()
            let program = try OpenSSLProgram(
                ["s_client", "-connect", "127.0.0.1:\(socket.port)", "-mtu", "1200"]
                    + arguments("SRTP_AEAD_AES_128_GCM", 56, folder))
            let hello = try socket.accept(milliseconds: 20_000)
            let end = try DTLSEnd(.server)
            end.receive(hello, now: .zero)
            try drive(end, socket) { end.isDecided }
            #expect(end.failure == .wrongFingerprint && end.session == nil)
            _ = try program.rest(after: "alert bad certificate")
        }
    }

    @Test("a program without a certificate is refused", .timeLimit(.minutes(2)))
    func nobody() throws {
        let socket = try UDPSocket()
        let program = try OpenSSLProgram(["s_client", "-connect", "127.0.0.1:\(socket.port)", "-dtls1_2"])
        let hello = try socket.accept(milliseconds: 20_000)
        let end = try DTLSEnd(.server)
        end.receive(hello, now: .zero)
        try drive(end, socket) { end.isDecided }
        #expect(end.failure == .refused("peer did not return a certificate") && end.session == nil)
        _ = try program.rest(after: "alert")
    }
}
