import HelioCore
import HelioOpenSSL
import HelioProtection
import HelioSTUN
import Testing

/// The RFCs' printed messages, byte by byte, including their MESSAGE-INTEGRITY values.
struct STUNVectorTests {
    private static let user = "\u{30DE}\u{30C8}\u{30EA}\u{30C3}\u{30AF}\u{30B9}"

    private func mac(_ vector: STUNVector) throws -> any MACContext {
        let crypto = OpenSSLCrypto()
        let key: SecretBytes
        switch vector.key {
        case .shortTerm(let password): key = SecretBytes(Array(password.utf8))
        case .longTerm(let usesSHA256, let password):
            let text = Array("\(Self.user):example.org:\(password)".utf8)
            key = SecretBytes(try crypto.hash(usesSHA256 ? .sha256 : .md5, text.span.bytes))
        }
        return try crypto.mac(vector.integrity == .sha1 ? .sha1 : .sha256, key: key)
    }

    private func isGenuine(
        _ packet: STUNPacket, _ bytes: [UInt8], _ seal: STUNPacket.Seal, _ mac: any MACContext
    ) -> Bool {
        let covered = packet.covered(by: seal, of: bytes.span.bytes)
        return mac.code(over: covered.span.bytes, trailer: nil).matches(seal.code.span.bytes)
    }

    @Test(arguments: STUNVector.all)
    func isRead(_ vector: STUNVector) throws {
        let packet = try STUNPacket(parsing: vector.bytes.span.bytes)
        #expect(packet.message == vector.message)
        #expect(packet.hasFingerprint == vector.hasFingerprint)
        #expect(packet.message.unknownRequired.isEmpty)
        let seal = try #require(packet.seals[vector.integrity])
        #expect(packet.seals.count == 1)
        #expect(isGenuine(packet, vector.bytes, seal, try mac(vector)))
    }

    /// The RFC's padding is not zero, so its bytes can't be reproduced; but parsing must give the same.
    @Test(arguments: STUNVector.all)
    func isWritten(_ vector: STUNVector) throws {
        let mac = try mac(vector)
        let bytes = vector.message.serialised(integrity: vector.integrity, fingerprint: vector.hasFingerprint) {
            mac.code(over: $0, trailer: nil).bytes
        }
        #expect(bytes.count == vector.bytes.count)
        let packet = try STUNPacket(parsing: bytes.span.bytes)
        #expect(packet.message == vector.message && packet.hasFingerprint == vector.hasFingerprint)
        let seal = try #require(packet.seals[vector.integrity])
        #expect(isGenuine(packet, bytes, seal, mac))
        // The vectors without FINGERPRINT have no padding, or zero padding.
        if !vector.hasFingerprint { #expect(bytes == vector.bytes) }
    }

    @Test func userhashIsThatOfNameAndRealm() throws {
        let text = Array("\(Self.user):example.org".utf8)
        let hash = try OpenSSLCrypto().hash(.sha256, text.span.bytes)
        #expect(STUNVector.all.last?.message.attributes.first == .userhash(hash))
    }

    /// Any flipped bit is detected: by the format, FINGERPRINT, or MESSAGE-INTEGRITY.
    @Test func eachFlippedBitIsNoticed() throws {
        let vector = STUNVector.all[0]
        let mac = try mac(vector)
        for bit in 0..<vector.bytes.count * 8 {
            var bytes = vector.bytes
            bytes[bit / 8] ^= 1 << UInt8(bit % 8)
            // Or the type of FINGERPRINT itself was changed, so there is none any more.
            if let packet = try? STUNPacket(parsing: bytes.span.bytes) {
                #expect(!packet.hasFingerprint && (100..<102).contains(bit / 8), "bit \(bit)")
            }
            // The same without FINGERPRINT.
            bytes = Array(bytes.dropLast(8))
            bytes[3] -= 8
            guard bit / 8 < bytes.count, let packet = try? STUNPacket(parsing: bytes.span.bytes),
                let seal = packet.seals[.sha1]
            else { continue }
            #expect(!isGenuine(packet, bytes, seal, mac), "bit \(bit)")
        }
    }
}
