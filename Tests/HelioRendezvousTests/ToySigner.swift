import HelioOpenSSL
import HelioProtection
import HelioRendezvous

/// A device's key without curves: a signature is an HMAC under a secret number, which the verifier knows.
struct ToySigner: DeviceSigner {
    private static let crypto = OpenSSLCrypto()
    let number: UInt8

    init(_ number: UInt8) { self.number = number }

    var publicKey: [UInt8] { [number] + [UInt8](repeating: 0xAB, count: 31) }

    func sign(_ message: [UInt8]) throws(CryptoError) -> [UInt8] {
        let key = SecretBytes([UInt8](repeating: number, count: 32))
        let half = try Self.crypto.mac(.sha256, key: key).code(over: message.span.bytes, trailer: nil).bytes
        return half + half
    }
}

struct ToyVerifier: SignatureVerifier {
    func isValid(_ signature: [UInt8], of message: [UInt8], by publicKey: [UInt8]) -> Bool {
        guard let number = publicKey.first else { return false }
        return (try? ToySigner(number).sign(message)) == signature
    }
}

/// A key that signs nothing.
struct BrokenSigner: DeviceSigner {
    var publicKey: [UInt8] { [UInt8](repeating: 1, count: 32) }
    func sign(_: [UInt8]) throws(CryptoError) -> [UInt8] { throw .failed(operation: "sign") }
}
