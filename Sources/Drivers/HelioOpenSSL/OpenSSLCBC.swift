import COpenSSL
import HelioProtection

/// A block cipher in CBC mode. The protection suite adds the padding, so OpenSSL's padding is off.
final class OpenSSLCBC: CBCContext {
    private let context: CipherContext

    init(_ cipher: SuiteCipher, key: SecretBytes, isEncrypting: Bool) throws(CryptoError) {
        let kind =
            switch cipher {
            case .aes128: EVP_aes_128_cbc()
            case .aes192: EVP_aes_192_cbc()
            case .aes256: EVP_aes_256_cbc()
            case .sm4: EVP_sm4_cbc()
            }
        context = try CipherContext(kind, key: key, isEncrypting: isEncrypting)
        guard EVP_CIPHER_CTX_set_padding(context.pointer, 0) == 1 else {
            throw .failed(operation: "EVP_CIPHER_CTX_set_padding")
        }
    }

    func apply(to packet: inout [UInt8], range: Range<Int>, vector: CounterBlock) throws(CryptoError) {
        guard range.lowerBound >= 0, range.upperBound <= packet.count, range.count <= CipherContext.longest,
            range.count % SuiteCipher.blockLength == 0
        else { throw .badLength(range.count) }
        let isDone = packet.withUnsafeMutableBufferPointer { bytes in
            context.start(vector.span.bytes)
                && context.transform(UnsafeMutableBufferPointer(rebasing: bytes[range]))
        }
        guard isDone else { throw .failed(operation: "EVP_CipherUpdate") }
    }
}
