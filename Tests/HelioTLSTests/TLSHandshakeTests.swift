import COpenSSL
import HelioCore
import HelioOpenSSL
import HelioTLS
import NIOCore
import NIOEmbedded
import Testing

@Suite("TLS: who is let in")
struct TLSHandshakeTests {
    private let identity: CertifiedKey
    private let server: TLSServerContext

    init() throws {
        identity = try CertifiedKey(selfSigned: "Heliograph", lifetime: .seconds(3600))
        server = try TLSServerContext(identity)
    }

    private func connect(
        _ client: TLSHandler, to server: TLSServerContext, piece: Int = .max
    ) throws -> (client: TLSEnd, server: TLSEnd) {
        let ends = (client: try TLSEnd(client), server: try TLSEnd(server.handler()))
        try TLSEnd.settle(ends.client, ends.server, piece: piece)
        return ends
    }

    @Test("by the fingerprint of the server's certificate, in pieces of any size", arguments: [1, 7, Int.max])
    func pinned(piece: Int) throws {
        var seen: [UInt8] = []
        let client = try TLSClientContext().handler {
            seen = $0
            return true
        }
        let ends = try connect(client, to: server, piece: piece)
        #expect(ends.client.isOpen && ends.server.isOpen)
        #expect(try seen == identity.fingerprint())
        #expect(ends.client.watcher.errors.isEmpty && ends.server.watcher.errors.isEmpty)
    }

    @Test("another fingerprint is refused, and the server hears of it")
    func wrongPin() throws {
        let ends = try connect(TLSClientContext().handler { _ in false }, to: server)
        guard case .certificateRefused? = ends.client.watcher.failures.first else {
            Issue.record("\(ends.client.watcher.errors)")
            return
        }
        #expect(ends.client.watcher.errors.count == 1 && ends.client.watcher.handshakes == 0)
        #expect(!ends.client.channel.isActive && !ends.server.channel.isActive)
        guard case .alert? = ends.server.watcher.failures.first else {
            Issue.record("\(ends.server.watcher.errors)")
            return
        }
    }

    /// The certificate's names, the server's name, and the reason for the rejection.
    @Test(
        "by an authority, and the server's name",
        arguments: [
            ("DNS:host.test", "host.test", nil), ("DNS:host.test", "HOST.test.", nil),
            ("DNS:*.host.test,DNS:other", "a.host.test", nil),
            ("IP:192.0.2.1", "192.0.2.1", nil), ("IP:fe80::1", "fe80::1%lo", nil),
            ("DNS:host.test", "other.test", "hostname mismatch"), ("DNS:h*.test", "host.test", "hostname mismatch"),
            ("DNS:host.test", "192.0.2.1", "IP address mismatch"),
            ("DNS:192.0.2.1", "192.0.2.1", "IP address mismatch"),
            ("IP:192.0.2.1", "192.0.2.2", "IP address mismatch"),
        ] as [(String, String, String?)])
    func names(inside: String, name: String, refusal: String?) throws {
        let authority = try Authority()
        let context = try TLSClientContext(from: .tls12, authorities: .file(authority.file))
        let ends = try connect(
            context.handler(server: name), to: TLSServerContext(authority.issue(inside), from: .tls12))
        #expect(ends.client.watcher.failures == (refusal.map { [.certificateRefused($0)] } ?? []))
        #expect(ends.client.isOpen == (refusal == nil))
    }

    @Test("whom no authority here knows is refused, whose time is over or has not come too")
    func strangers() throws {
        let (authority, other) = (try Authority(), try Authority())
        let known = TLSAuthorities.file(authority.file)
        let cases: [(TLSAuthorities, CertifiedKey, String)] = [
            (known, try authority.issue("DNS:host", days: -9 ... -2), "certificate has expired"),
            (known, try authority.issue("DNS:host", days: 2...9), "certificate is not yet valid"),
            (known, try other.issue("DNS:host"), "unable to get local issuer certificate"),
            (.system, try authority.issue("DNS:host"), "unable to get local issuer certificate"),
            (.none, try authority.issue("DNS:host"), "unable to get local issuer certificate"),
            (known, identity, "self-signed certificate"),
        ]
        for (authorities, shown, reason) in cases {
            let ends = try connect(
                TLSClientContext(authorities: authorities).handler(server: "host"), to: TLSServerContext(shown))
            #expect(ends.client.watcher.failures == [.certificateRefused(reason)])
            #expect(!ends.client.channel.isActive && ends.client.watcher.handshakes == 0)
        }
    }

    @Test(
        "what can't be a server's name is refused at once",
        arguments: ["", ".", "a\0b", String(repeating: "a", count: 256)])
    func badName(name: String) throws {
        #expect(throws: HelioError.self) { try TLSClientContext(authorities: .system).handler(server: name) }
    }

    @Test("authorities that can't be read are an error that names their file")
    func noAuthorities() {
        let error = #expect(throws: HelioError.self) { try TLSClientContext(authorities: .file("/nowhere.pem")) }
        #expect(error?.code == .systemFailed && error?.message.contains("/nowhere.pem") == true)
    }

    @Test("a client that knows TLS 1.1 alone is refused", arguments: [TLSVersion.tls12, .tls13])
    func oldClient(oldest: TLSVersion) throws {
        let end = try TLSEnd(TLSServerContext(identity, from: oldest).handler())
        let peer = try BarePeer(newest: TLS1_1_VERSION)
        try peer.shakeHands(with: end)
        #expect(end.watcher.failures == [.refused("unsupported protocol")] && !end.channel.isActive)
    }

    @Test("a server that knows TLS 1.1 alone is refused, and 1.2 where 1.3 is asked for")
    func oldServer() throws {
        for (oldest, newest) in [(TLSVersion.tls12, TLS1_1_VERSION), (.tls13, TLS1_2_VERSION)] {
            let end = try TLSEnd(TLSClientContext(from: oldest).handler { _ in true })
            let peer = try BarePeer(identity, newest: newest)
            try peer.shakeHands(with: end)
            #expect(end.watcher.failures == [.alert(UInt8(SSL_AD_PROTOCOL_VERSION))] && !end.channel.isActive)
        }
    }

    @Test("TLS 1.2 does where it is allowed")
    func tls12() throws {
        let end = try TLSEnd(TLSServerContext(identity, from: .tls12).handler())
        let peer = try BarePeer(newest: TLS1_2_VERSION)
        try peer.shakeHands(with: end)
        #expect(end.isOpen)
        #expect(peer.write([1, 2, 3]))
        try end.receive(peer.give())
        #expect(end.watcher.bytes == [1, 2, 3])
    }

    @Test(
        "what is no TLS is refused by either end",
        arguments: ["GET / HTTP/1.1\r\n\r\n", "RTSP/1.0 400 Bad Request\r\n\r\n"])
    func noTLS(text: String) throws {
        for end in [try TLSEnd(server.handler()), try TLSEnd(TLSClientContext().handler { _ in true })] {
            try end.receive(Array(text.utf8))
            guard case .refused? = end.watcher.failures.first else {
                Issue.record("\(end.watcher.errors)")
                continue
            }
            #expect(end.watcher.errors.count == 1 && !end.channel.isActive)
        }
    }

    @Test("who stops in the midst is waited for, and what was written fails when he goes")
    func halfway() throws {
        let client = try TLSEnd(TLSClientContext().handler { _ in true })
        let end = try TLSEnd(server.handler())
        try end.receive(client.plug.take())
        let flight = end.plug.take()
        try client.receive(Array(flight.prefix(flight.count / 2)))
        var written: (any Error)?
        client.channel.writeAndFlush(ByteBuffer(bytes: [1])).assumeIsolated().whenFailure { written = $0 }
        #expect(client.channel.isActive && client.watcher.handshakes == 0 && client.plug.writes.isEmpty)
        client.plug.pull()
        #expect(client.watcher.failures == [.endedEarly] && client.watcher.isGone)
        #expect(written as? TLSError == .endedEarly)
        // The other end is closed by its owner, which is no error.
        end.close()
        #expect(!end.channel.isActive && end.watcher.errors.isEmpty)
    }

    @Test("what is written before the end of the handshake follows it in order, and is bounded")
    func early() throws {
        let client = try TLSEnd(TLSClientContext().handler { _ in true })
        let end = try TLSEnd(server.handler())
        var written: [Int] = []
        for number in 1...3 {
            client.channel.writeAndFlush(ByteBuffer(bytes: [UInt8(number)])).assumeIsolated().whenSuccess {
                written.append(number)
            }
        }
        var refused: (any Error)?
        let much = ByteBuffer(repeating: 0, count: TLSHandler.mostWaiting)
        client.channel.writeAndFlush(much).assumeIsolated().whenFailure { refused = $0 }
        #expect(refused as? TLSError == .tooMuchWaiting && written.isEmpty)
        try TLSEnd.settle(client, end)
        #expect(end.watcher.bytes == [1, 2, 3] && written == [1, 2, 3])
    }
}
