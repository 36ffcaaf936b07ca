/// A suite in place of AES-GCM: encrypts, then authenticates.
///
///     | head, in clear | ciphertext, whole blocks | vector, 16 | tag, 16 or 32 |
///      \____________________ authenticated ____________________/  and nonce, trailer
///
/// The plaintext is padded to whole blocks; each byte of the padding is its length (RFC 5652 section 6.3). The vector
/// follows the ciphertext, so that nothing has to be moved. The nonce is not sent and encrypts nothing, but is
/// authenticated: with SRTP it holds SSRC and packet index, including the rollover counter, and in a sealed channel the
/// sequence.
///
/// A vector has to be unpredictable. Each is a block of AES-256 in counter mode under a key of random bytes which never
/// leaves this object, so it is as good as random, costs no call into the system, and never repeats.
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
