import COpenSSL
import HelioOpenSSL
import HelioProtection
import HelioTLS
import NIOCore
import NIOEmbedded
import Testing

@Suite("TLS: peers that keep us busy")
struct TLSHostileTests {
    private let identity: CertifiedKey

    init() throws {
        identity = try CertifiedKey(selfSigned: "Heliograph", lifetime: .seconds(3600))
    }

    @Test("new keys now and then are taken, and answered with what is said next")
    func keyUpdates() throws {
        let end = try TLSEnd(TLSServerContext(identity).handler())
        let peer = try BarePeer()
        try peer.shakeHands(with: end)
        try #require(end.isOpen)
        for number in 1...100 as ClosedRange<UInt8> {
            peer.updateKeys(1)
            #expect(peer.write([number]))
            try end.receive(peer.give())
            end.write([number])
            peer.take(end.plug.take())
            #expect(peer.read() == [number])
        }
        #expect(end.watcher.bytes == Array(1...100) && end.isOpen)
    }

    @Test("new keys and nothing else, over and over, end the connection")
    func keyUpdateFlood() throws {
        let end = try TLSEnd(TLSServerContext(identity).handler())
        let peer = try BarePeer()
        try peer.shakeHands(with: end)
        try #require(end.isOpen)
        peer.updateKeys(30)
        try end.receive(peer.give())
        #expect(end.isOpen)
        peer.updateKeys(30)
        try end.receive(peer.give())
        #expect(end.watcher.failures == [.flooded] && !end.channel.isActive)
    }

    @Test("answers to new keys don't gather for who reads nothing")
    func unreadAnswers() throws {
        let end = try TLSEnd(TLSServerContext(identity).handler())
        let peer = try BarePeer()
        try peer.shakeHands(with: end)
        try #require(end.isOpen)
        _ = end.plug.take()
        end.channel.isWritable = false
        var turns = 0
        while end.channel.isActive, turns < 1000 {
            peer.updateKeys(20)
            #expect(peer.write([1]))
            try end.receive(peer.give())
            #expect(!end.channel.isActive || end.plug.writes.isEmpty)
            turns += 1
        }
        #expect(end.watcher.failures == [.flooded] && turns > 10)
    }

    @Test("what waited for the peer to read goes when it does")
    func heldAnswer() throws {
        let end = try TLSEnd(TLSServerContext(identity).handler())
        let peer = try BarePeer()
        try peer.shakeHands(with: end)
        try #require(end.isOpen)
        _ = end.plug.take()
        end.channel.isWritable = false
        peer.updateKeys(1)
        try end.receive(peer.give())
        #expect(end.plug.writes.isEmpty)
        end.channel.isWritable = true
        end.channel.pipeline.fireChannelWritabilityChanged()
        end.write([7])
        peer.take(end.plug.take())
        #expect(peer.read() == [7])
    }

    @Test("whoever asks to shake hands again is told no")
    func renegotiation() throws {
        let end = try TLSEnd(TLSServerContext(identity, from: .tls12).handler())
        let peer = try BarePeer(newest: TLS1_2_VERSION)
        try peer.shakeHands(with: end)
        try #require(end.isOpen)
        SSL_renegotiate(peer.ssl)
        SSL_do_handshake(peer.ssl)
        try end.receive(peer.give())
        peer.take(end.plug.take())
        #expect(SSL_do_handshake(peer.ssl) != 1)
        #expect(ERR_GET_REASON(ERR_peek_error()) == SSL_R_NO_RENEGOTIATION)
        ERR_clear_error()
        #expect(end.watcher.handshakes == 1)
    }

    /// Each record is genuine but empty.
    @Test("empty records over and over end the connection")
    func emptyRecords() throws {
        let end = try TLSEnd(TLSServerContext(identity).handler())
        let peer = try BarePeer()
        try peer.shakeHands(with: end)
        try #require(end.isOpen && peer.clientSecret.count == 32)
        var records = try EmptyRecords(secret: peer.clientSecret)
        for _ in 1...30 { try end.receive(records.next()) }
        #expect(end.isOpen && end.watcher.pieces == 0)
        for _ in 1...30 where end.channel.isActive { try end.receive(records.next()) }
        guard case .refused? = end.watcher.failures.first else {
            Issue.record("\(end.watcher.errors)")
            return
        }
        #expect(end.watcher.pieces == 0 && !end.channel.isActive)
    }
}

/// TLS 1.3 records without data, with TLS_AES_128_GCM_SHA256 (RFC 8446 sections 5.2, 5.3 and 7.3).
private struct EmptyRecords {
    private let sealer: any AEADSealer
    private let iv: [UInt8]
    private var number: UInt8 = 0

    init(secret: [UInt8]) throws {
        let crypto = OpenSSLCrypto()
        func expand(_ label: String, _ count: Int) throws -> [UInt8] {
            let full = Array("tls13 \(label)".utf8)
            let info: [UInt8] = [0, UInt8(count), UInt8(full.count)] + full + [0, 1]
            let code = try crypto.mac(.sha256, key: SecretBytes(secret)).code(over: info.span.bytes, trailer: nil)
            return Array(code.bytes.prefix(count))
        }
        sealer = try crypto.sealer(key: SecretBytes(try expand("key", 16)))
        iv = try expand("iv", 12)
    }

    mutating func next() throws -> [UInt8] {
        // Application data with 1 + 16 bytes: the inner content type, and the tag.
        var record: [UInt8] = [23, 3, 3, 0, 17, 23]
        var last = iv
        last[11] ^= number
        let nonce = last
        number += 1
        try sealer.seal(&record, from: 5, trailer: nil, nonce: AEADNonce { nonce[$0] })
        return record
    }
}
