import Foundation
import HelioCore
import HelioOpenSSL
import HelioProtection
import HelioRendezvous
import HelioRendezvousWire
import Testing

/// Sealed calls by the cases of Testing/Vectors/calls.json, which the page is tested with too. They were computed with
/// Python's `hmac` and AES-GCM, so they also show that the documented construction is the one in use.
@Suite("Golden calls")
struct CallVectorTests {
    private struct Vectors: Decodable {
        struct Step: Decodable {
            var from: String
            var message: String
            var envelope: String
        }

        struct Case: Decodable {
            var name: String
            var secret: String
            var device: String
            var ringerNonce: String
            var hostNonce: String
            var token: String
            var tag: String
            var link: String
            var steps: [Step]
        }

        var cases: [Case]

        static func load() throws -> Vectors {
            let file = URL(filePath: #filePath).appending(path: "../../../Testing/Vectors/calls.json").standardized
            return try JSONDecoder().decode(Vectors.self, from: Data(contentsOf: file))
        }
    }

    /// A generator that makes every byte of a nonce the same.
    private struct OneByte: RandomNumberGenerator {
        let value: UInt64

        init(_ byte: UInt8) { value = UInt64(byte) * 0x0101_0101_0101_0101 }

        mutating func next() -> UInt64 { value }
    }

    private static func bytes(_ text: String) throws -> [UInt8] { try #require(Hexadecimal.bytes(text)) }

    @Test("Both ends seal and open as the cases say")
    func golden() throws {
        let cases = try Vectors.load().cases
        #expect(cases.count >= 3)
        for one in cases where one.ringerNonce.isOneByte && one.hostNonce.isOneByte { try check(one) }
        #expect(cases.allSatisfy { $0.ringerNonce.isOneByte && $0.hostNonce.isOneByte })
    }

    private func check(_ one: Vectors.Case) throws {
        let crypto = OpenSSLCrypto()
        let secret = SecretBytes(try Self.bytes(one.secret))
        let device = try #require(RendezvousID(try Self.bytes(one.device)))
        let token = try CallKeys.token(of: secret, for: device, crypto)
        let tag = try CallKeys.tag(of: token, crypto)
        #expect(Hexadecimal.text(token.bytes) == one.token, "\(one.name)")
        #expect(Hexadecimal.text(tag.bytes) == one.tag, "\(one.name)")
        var ringers = OneByte(try #require(try Self.bytes(one.ringerNonce).first))
        var hosts = OneByte(try #require(try Self.bytes(one.hostNonce).first))
        var ringer = try CallSealer(ringing: secret, device: device, crypto: crypto, random: &ringers)
        var host = try CallSealer(answering: secret, device: device, crypto: crypto, random: &hosts)
        for (number, step) in one.steps.enumerated() {
            let message = try Self.bytes(step.message)
            let isRingers = step.from == "ringer"
            let envelope = isRingers ? try ringer.seal(message) : try host.seal(message)
            let text = Hexadecimal.text(envelope)
            #expect(text == step.envelope, "\(one.name), \(number)")
            let opened = isRingers ? try host.open(envelope) : try ringer.open(envelope)
            #expect(opened == message, "\(one.name), \(number)")
        }
        let links = [ringer.linkSecret(), host.linkSecret()].map { $0.map { Hexadecimal.text($0.bytes) } }
        #expect(links == [one.link, one.link], "\(one.name)")
    }
}

extension String {
    /// True for the hexadecimal text of one byte that is repeated.
    fileprivate var isOneByte: Bool {
        let byte = prefix(2)
        return self == String(repeating: String(byte), count: count / 2)
    }
}
