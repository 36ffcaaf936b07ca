import HelioCore
import HelioOpenSSL
import HelioProtection
import HelioRendezvous
import HelioRendezvousWire

/// An end of a call. It is a class, because the macros of tests take only values that can be copied.
final class SealedEnd {
    static let crypto = OpenSSLCrypto()
    static let device = RendezvousID([UInt8](repeating: 7, count: 16))!
    static let secret = SecretBytes(Array(1...20))

    private var sealer: CallSealer

    private init(_ sealer: consuming CallSealer) { self.sealer = sealer }

    static func ringer(
        _ secret: SecretBytes = secret, _ device: RendezvousID = device, seed: UInt64 = 1
    ) throws -> SealedEnd {
        var random = SeededGenerator(seed: seed)
        return SealedEnd(try CallSealer(ringing: secret, device: device, crypto: crypto, random: &random))
    }

    static func host(
        _ secret: SecretBytes = secret, _ device: RendezvousID = device, seed: UInt64 = 2
    ) throws -> SealedEnd {
        var random = SeededGenerator(seed: seed)
        return SealedEnd(try CallSealer(answering: secret, device: device, crypto: crypto, random: &random))
    }

    var ringerNonce: [UInt8]? { sealer.ringerNonce }
    var linkSecret: SecretBytes? { sealer.linkSecret() }

    func seal(_ message: [UInt8]) throws(EnvelopeError) -> [UInt8] { try sealer.seal(message) }
    func open(_ envelope: [UInt8]) throws(EnvelopeError) -> [UInt8] { try sealer.open(envelope) }
}
