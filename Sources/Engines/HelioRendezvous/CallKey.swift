internal import HelioCore
internal import HelioProtection

/// The AES-128-GCM key of one direction of a call: 28 derived bytes, which are the key (16) and the salt (12).
///
/// The nonce of an envelope is the salt XOR the counter, right-aligned (RFC 8446 section 5.3).
struct CallKey {
    private static let length = 16
    private let salt: [UInt8]
    private let sealer: any AEADSealer
    private let opener: any AEADOpener

    init(
        _ purpose: CallKeys.Purpose, _ keys: CallKeys, context: [UInt8], crypto: any CryptoProvider
    ) throws(CryptoError) {
        let bytes = try keys.value(purpose, context: context, count: Self.length + 12).bytes
        let key = SecretBytes(Array(bytes[..<Self.length]))
        salt = Array(bytes[Self.length...])
        sealer = try crypto.sealer(key: key)
        opener = try crypto.opener(key: key)
    }

    /// Encrypts `envelope[start...]` in place; authenticates what is before it as well.
    func seal(_ envelope: inout [UInt8], from start: Int, counter: UInt64) throws(CryptoError) {
        try sealer.seal(&envelope, from: start, trailer: nil, nonce: nonce(counter))
    }

    /// Decrypts an envelope and returns the message; `nil` if the tag is wrong.
    func open(_ envelope: [UInt8], from start: Int, counter: UInt64) -> [UInt8]? {
        var packet = envelope
        guard opener.open(&packet, from: start, trailer: nil, nonce: nonce(counter)) else { return nil }
        packet.removeFirst(start)
        return packet
    }

    private func nonce(_ counter: UInt64) -> AEADNonce {
        var nonce = AEADNonce { salt[$0] }
        for offset in 0..<8 { nonce[4 + offset] ^= UInt8(truncatingIfNeeded: counter >> UInt64(56 - 8 * offset)) }
        return nonce
    }
}
