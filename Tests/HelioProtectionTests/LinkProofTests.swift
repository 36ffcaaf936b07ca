import HelioOpenSSL
import HelioProtection
import Testing

@Suite("Link proof")
struct LinkProofTests {
    let crypto = OpenSSLCrypto()
    let secret = [UInt8](repeating: 1, count: 16)
    let fingerprint = [UInt8](repeating: 2, count: 32)
    let client = [UInt8](repeating: 3, count: 16)
    let host = [UInt8](repeating: 4, count: 16)

    @Test func eachRoleProvesItself() throws {
        let proof = try #require(make())
        for role in [LinkProof.Role.host, .viewer] {
            let bytes = try proof.proof(by: role, crypto: crypto)
            #expect(bytes.count == LinkProof.length)
            #expect(try proof.verify(bytes, by: role, crypto: crypto))
            let other: LinkProof.Role = role == .host ? .viewer : .host
            #expect(try !proof.verify(bytes, by: other, crypto: crypto))
        }
    }

    /// The authenticated message, spelled out: it must not change between versions.
    @Test func covers() throws {
        let message =
            [0, 0, 0, 23] + Array("heliograph link proof 1".utf8) + [0, 0, 0, 4] + Array("host".utf8)
            + [0, 0, 0, 32] + fingerprint + [0, 0, 0, 16] + client + [0, 0, 0, 16] + host
        let expected = try crypto.mac(.sha256, key: SecretBytes(secret)).code(over: message.span.bytes, trailer: nil)
        #expect(try make()?.proof(by: .host, crypto: crypto) == expected.bytes)
    }

    @Test func anythingElseIsAnotherProof() throws {
        let proof = try #require(try make()?.proof(by: .host, crypto: crypto))
        let others = [
            make(secret: changed(secret)), make(fingerprint: changed(fingerprint)), make(client: changed(client)),
            make(host: changed(host)), make(client: host, host: client), make(client: client + [4], host: host),
        ]
        for other in others {
            let other = try #require(other)
            #expect(try !other.verify(proof, by: .host, crypto: crypto))
        }
    }

    @Test func everyFlippedBitAndEveryCutIsRefused() throws {
        let proof = try #require(make())
        let bytes = try proof.proof(by: .viewer, crypto: crypto)
        for bit in 0..<bytes.count * 8 {
            var forged = bytes
            forged[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(try !proof.verify(forged, by: .viewer, crypto: crypto))
        }
        for count in 0..<bytes.count {
            #expect(try !proof.verify(Array(bytes[..<count]), by: .viewer, crypto: crypto))
        }
        #expect(try !proof.verify(bytes + [0], by: .viewer, crypto: crypto))
    }

    @Test func weakPartsAreRefused() {
        #expect(make(secret: [UInt8](repeating: 1, count: LinkProof.leastSecretLength)) != nil)
        #expect(make(secret: [UInt8](repeating: 1, count: LinkProof.leastSecretLength - 1)) == nil)
        #expect(LinkProof.leastSecretLength >= 10)
        #expect(make(fingerprint: Array(fingerprint.dropLast())) == nil)
        #expect(make(fingerprint: fingerprint + [2]) == nil)
        #expect(make(client: [UInt8](repeating: 3, count: LinkProof.leastNonceLength - 1)) == nil)
        #expect(make(host: []) == nil)
    }

    private func make(
        secret: [UInt8]? = nil, fingerprint: [UInt8]? = nil, client: [UInt8]? = nil, host: [UInt8]? = nil
    ) -> LinkProof? {
        LinkProof(
            secret: SecretBytes(secret ?? self.secret), binding: fingerprint ?? self.fingerprint,
            clientNonce: client ?? self.client, hostNonce: host ?? self.host)
    }

    private func changed(_ bytes: [UInt8]) -> [UInt8] { [bytes[0] ^ 0x80] + bytes.dropFirst() }
}
