/// The encryptor of a suite, with the order encrypt-then-MAC.
///
///     | head, in clear | ciphertext, whole blocks | vector, 16 | tag, 16 or 32 |
///      \____________________ authenticated ____________________/  and nonce, trailer
///
/// The plaintext is padded to whole blocks; each padding byte is the padding length (RFC 5652 section 6.3). The
/// initialisation vector follows the ciphertext, so that no bytes have to be moved. The nonce is neither sent nor used
/// for the encryption, but it is authenticated: it contains SSRC and packet index in SRTP, and the sequence number in a
/// sealed channel.
///
/// Vectors have to be unpredictable. Each vector is a block of AES-256 in counter mode with a random key that is known
/// only to this object. So vectors never repeat, and need no system call.
final class SuiteSealer: AEADSealer {
    let mostOverhead: Int

    private let cipher: any CBCContext
    private let mac: any MACContext
    private let vectors: any KeystreamContext
    private let tagLength: Int
    private var vectorsDrawn: UInt64 = 0

    init(_ suite: ProtectionSuite, cipher: any CBCContext, mac: any MACContext, vectors: any KeystreamContext) {
        mostOverhead = suite.mostOverhead
        tagLength = suite.integrity.tagLength
        self.cipher = cipher
        self.mac = mac
        self.vectors = vectors
    }

    func seal(_ packet: inout [UInt8], from start: Int, trailer: UInt32?, nonce: AEADNonce) throws(CryptoError) {
        guard (0...packet.count).contains(start) else { throw .badLength(packet.count) }
        let block = SuiteCipher.blockLength
        let padding = block - (packet.count - start) % block
        for _ in 0..<padding { packet.append(UInt8(padding)) }
        let end = packet.count
        let vector = try appendVector(to: &packet)
        try cipher.apply(to: &packet, range: start..<end, vector: vector)
        let code = mac.code(behind: nonce, in: &packet, trailer: trailer)
        for offset in 0..<tagLength { packet.append(code.storage[offset]) }
    }

    private func appendVector(to packet: inout [UInt8]) throws(CryptoError) -> CounterBlock {
        let count = vectorsDrawn
        vectorsDrawn += 1
        let end = packet.count
        for _ in 0..<SuiteCipher.blockLength { packet.append(0) }
        let counter = CounterBlock { $0 < 8 ? 0 : UInt8(truncatingIfNeeded: count >> UInt64(8 * (15 - $0))) }
        try vectors.apply(to: &packet, range: end..<packet.count, counter: counter)
        return CounterBlock { packet[end + $0] }
    }
}
