import HelioProtection
import HelioRendezvous

/// A device's key for fuzzing, which anybody can forge: a signature repeats the key's first byte.
struct ToySigner: DeviceSigner {
    var number: UInt8 = 1

    var publicKey: [UInt8] { [number] + [UInt8](repeating: 0, count: 31) }
    func sign(_: [UInt8]) throws(CryptoError) -> [UInt8] { [UInt8](repeating: number, count: 64) }
}

struct ToyVerifier: SignatureVerifier {
    func isValid(_ signature: [UInt8], of _: [UInt8], by publicKey: [UInt8]) -> Bool {
        signature == [UInt8](repeating: publicKey.first ?? 0, count: 64)
    }
}
