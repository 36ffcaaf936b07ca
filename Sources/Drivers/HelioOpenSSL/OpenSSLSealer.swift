import COpenSSL
import HelioProtection

/// AES-GCM that encrypts and authenticates in place.
final class OpenSSLSealer: AEADSealer {
    private static let emptyTag = [UInt8](repeating: 0, count: aeadTagLength)

    private let context: CipherContext

    init(key: SecretBytes) throws(CryptoError) {
        context = try .gcm(key: key, isEncrypting: true)
    }

    func seal(_ packet: inout [UInt8], from start: Int, trailer: UInt32?, nonce: AEADNonce) throws(CryptoError) {
        let end = packet.count
        guard end <= CipherContext.longest, (0...end).contains(start) else { throw .badLength(end) }
        packet.append(contentsOf: Self.emptyTag)
        let isSealed = packet.withUnsafeMutableBufferPointer { bytes in
            context.start(nonce.span.bytes)
                && context.authenticate(UnsafeBufferPointer(rebasing: bytes[..<start]), trailer: trailer)
                && context.transform(UnsafeMutableBufferPointer(rebasing: bytes[start..<end]))
                && finish(tag: UnsafeMutableBufferPointer(rebasing: bytes[end...]))
        }
        guard isSealed else {
            packet.removeAll()
            throw .failed(operation: "EVP_CipherUpdate")
        }
    }

    private func finish(tag: UnsafeMutableBufferPointer<UInt8>) -> Bool {
        // GCM has no final block, so only `count` is written.
        var count: Int32 = 0
        return EVP_CipherFinal_ex(context.pointer, tag.baseAddress, &count) == 1
            && EVP_CIPHER_CTX_ctrl(context.pointer, EVP_CTRL_AEAD_GET_TAG, Int32(tag.count), tag.baseAddress) == 1
    }
}
