import COpenSSL
import HelioProtection

/// AES in counter mode.
final class OpenSSLKeystream: KeystreamContext {
    private let context: CipherContext

    init(key: SecretBytes) throws(CryptoError) {
        context = try CipherContext(
            key.count == 32 ? EVP_aes_256_ctr() : EVP_aes_128_ctr(), key: key, isEncrypting: true)
    }

    func apply(to packet: inout [UInt8], range: Range<Int>, counter: CounterBlock) throws(CryptoError) {
        guard range.lowerBound >= 0, range.upperBound <= packet.count, range.count <= CipherContext.longest else {
            throw .badLength(range.count)
        }
        let isDone = packet.withUnsafeMutableBufferPointer { bytes in
            context.start(counter.span.bytes)
                && context.transform(UnsafeMutableBufferPointer(rebasing: bytes[range]))
        }
        guard isDone else { throw .failed(operation: "EVP_CipherUpdate") }
    }
}
