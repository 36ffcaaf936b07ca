import HelioProtection

/// Cryptographic primitives for fuzzing: fast, deterministic, without libraries, and insecure.
///
/// Each step of the checksum is a bijection, so a change of a single byte always changes the tag.
struct ToyCrypto: CryptoProvider {
    func sealer(key: SecretBytes) throws(CryptoError) -> any AEADSealer { ToyAEAD(key: key.bytes) }
    func opener(key: SecretBytes) throws(CryptoError) -> any AEADOpener { ToyAEAD(key: key.bytes) }
    func keystream(key: SecretBytes) throws(CryptoError) -> any KeystreamContext { ToyKeystream(key: key.bytes) }
    func mac(_ algorithm: MACAlgorithm, key: SecretBytes) throws(CryptoError) -> any MACContext {
        let length =
            switch algorithm {
            case .md5: 16
            case .sha1: 20
            case .sha256: 32
            }
        return ToyMAC(key: key.bytes, length: length)
    }
    func encryptor(_ cipher: SuiteCipher, key: SecretBytes) throws(CryptoError) -> any CBCContext {
        ToyCBC(key: key.bytes)
    }
    func decryptor(_ cipher: SuiteCipher, key: SecretBytes) throws(CryptoError) -> any CBCContext {
        ToyCBC(key: key.bytes)
    }
    func hash(_ algorithm: HashAlgorithm, _ message: RawSpan) throws(CryptoError) -> [UInt8] {
        let sum = ToySum(seed: 0, message)
        return (0..<(algorithm == .md5 ? 16 : 32)).map { sum.byte(at: $0) }
    }
}

private struct ToySum {
    private(set) var state: UInt64 = 0xCBF2_9CE4_8422_2325

    init(seed: UInt64) { add(seed) }

    init(seed: UInt64, _ bytes: RawSpan) {
        self.init(seed: seed)
        add(bytes)
    }

    mutating func add(_ byte: UInt8) { state = (state ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }

    mutating func add(_ bytes: RawSpan) {
        for offset in 0..<bytes.byteCount { add(bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self)) }
    }

    mutating func add(_ value: UInt64) {
        for shift in 0..<8 { add(UInt8(truncatingIfNeeded: value >> UInt64(shift * 8))) }
    }

    func byte(at offset: Int) -> UInt8 {
        let mixed = (state ^ UInt64(offset / 8)) &* 0x9E37_79B9_7F4A_7C15
        return UInt8(truncatingIfNeeded: (mixed ^ mixed >> 29) >> UInt64(offset % 8 * 8))
    }
}

private final class ToyKeystream: KeystreamContext {
    private let key: UInt64

    init(key: [UInt8]) { self.key = ToySum(seed: 1, key.span.bytes).state }

    func apply(to packet: inout [UInt8], range: Range<Int>, counter: CounterBlock) throws(CryptoError) {
        let stream = ToySum(seed: key, counter.span.bytes)
        for offset in range { packet[offset] ^= stream.byte(at: offset - range.lowerBound) }
    }
}

/// A substitute for CBC: an XOR with a keystream, so the same call encrypts and decrypts.
private final class ToyCBC: CBCContext {
    private let key: UInt64

    init(key: [UInt8]) { self.key = ToySum(seed: 4, key.span.bytes).state }

    func apply(to packet: inout [UInt8], range: Range<Int>, vector: CounterBlock) throws(CryptoError) {
        guard range.count % SuiteCipher.blockLength == 0 else { throw .badLength(range.count) }
        let stream = ToySum(seed: key, vector.span.bytes)
        for offset in range { packet[offset] ^= stream.byte(at: offset - range.lowerBound) }
    }
}

private final class ToyMAC: MACContext {
    private let key: UInt64
    private let length: Int

    init(key: [UInt8], length: Int) {
        self.key = ToySum(seed: 2, key.span.bytes).state
        self.length = length
    }

    func code(over message: RawSpan, trailer: UInt32?) -> MACCode {
        var sum = ToySum(seed: key, message)
        if let trailer { sum.add(UInt64(trailer)) }
        return MACCode(InlineArray { $0 < self.length ? sum.byte(at: $0) : 0 }, count: length)
    }
}

private final class ToyAEAD: AEADSealer, AEADOpener {
    private let key: UInt64

    init(key: [UInt8]) { self.key = ToySum(seed: 3, key.span.bytes).state }

    func seal(_ packet: inout [UInt8], from start: Int, trailer: UInt32?, nonce: AEADNonce) throws(CryptoError) {
        apply(to: &packet, from: start, nonce)
        packet += tag(of: packet, trailer, nonce)
    }

    func open(_ packet: inout [UInt8], from start: Int, trailer: UInt32?, nonce: AEADNonce) -> Bool {
        guard packet.count - start >= aeadTagLength else {
            packet.removeAll()
            return false
        }
        let received = Array(packet.suffix(aeadTagLength))
        packet.removeLast(aeadTagLength)
        guard received == tag(of: packet, trailer, nonce) else {
            packet.removeAll()
            return false
        }
        apply(to: &packet, from: start, nonce)
        return true
    }

    private func apply(to packet: inout [UInt8], from start: Int, _ nonce: AEADNonce) {
        let stream = ToySum(seed: key, nonce.span.bytes)
        for offset in start..<packet.count { packet[offset] ^= stream.byte(at: offset) }
    }

    private func tag(of packet: [UInt8], _ trailer: UInt32?, _ nonce: AEADNonce) -> [UInt8] {
        var sum = ToySum(seed: key, nonce.span.bytes)
        sum.add(UInt64(trailer ?? 0))
        sum.add(packet.span.bytes)
        return (0..<aeadTagLength).map { sum.byte(at: $0) }
    }
}
