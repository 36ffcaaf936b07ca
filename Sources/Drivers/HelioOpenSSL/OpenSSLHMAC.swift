import COpenSSL
import HelioProtection

/// An HMAC (RFC 2104) that hashes its key only once: each message starts from copies of two stored hash states.
///
/// OpenSSL's own HMAC allocates twice for each message, because EVP forks a digest's state on the heap.
final class OpenSSLHMAC<Digest: BlockDigest>: MACContext {
    private static var blockLength: Int { 64 }

    private let inner: Digest
    private let outer: Digest

    init(key: SecretBytes) {
        var block = key.bytes
        if block.count > Self.blockLength {
            var digest = Digest()
            digest.update(block.span.bytes)
            block = digest.finish().bytes
        }
        block += [UInt8](repeating: 0, count: Self.blockLength - block.count)
        inner = Self.start(block, pad: 0x36)
        outer = Self.start(block, pad: 0x5C)
    }

    func code(over message: RawSpan, trailer: UInt32?) -> MACCode {
        var digest = inner
        digest.update(message)
        if let trailer {
            let bytes: InlineArray<4, UInt8> = [
                UInt8(truncatingIfNeeded: trailer >> 24), UInt8(truncatingIfNeeded: trailer >> 16),
                UInt8(truncatingIfNeeded: trailer >> 8), UInt8(truncatingIfNeeded: trailer),
            ]
            digest.update(bytes.span.bytes)
        }
        let hash = digest.finish()
        var result = outer
        result.update(hash.storage.span.bytes.extracting(first: hash.count))
        return result.finish()
    }

    private static func start(_ block: [UInt8], pad: UInt8) -> Digest {
        var digest = Digest()
        let padded = block.map { $0 ^ pad }
        digest.update(padded.span.bytes)
        return digest
    }
}
