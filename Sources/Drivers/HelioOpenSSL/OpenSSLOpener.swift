import COpenSSL
import HelioProtection

/// AES-GCM that decrypts and verifies in place.
final class OpenSSLOpener: AEADOpener {
    private let context: CipherContext

    init(key: SecretBytes) throws(CryptoError) {
        context = try .gcm(key: key, isEncrypting: false)
    }

    func open(_ packet: inout [UInt8], from start: Int, trailer: UInt32?, nonce: AEADNonce) -> Bool {
        let end = packet.count - aeadTagLength
        guard end <= CipherContext.longest, start >= 0, start <= end else {
            packet.removeAll(keepingCapacity: true)
            return false
        }
        let isGenuine = packet.withUnsafeMutableBufferPointer { bytes in
            context.start(nonce.span.bytes)
                && context.authenticate(UnsafeBufferPointer(rebasing: bytes[..<start]), trailer: trailer)
                && context.transform(UnsafeMutableBufferPointer(rebasing: bytes[start..<end]))
                && check(tag: UnsafeMutableBufferPointer(rebasing: bytes[end...]))
        }
        if isGenuine {
            packet.removeLast(aeadTagLength)
        } else {
            packet.removeAll(keepingCapacity: true)
        }
        return isGenuine
    }

    private func check(tag: UnsafeMutableBufferPointer<UInt8>) -> Bool {
        var count: Int32 = 0
        return EVP_CIPHER_CTX_ctrl(context.pointer, EVP_CTRL_AEAD_SET_TAG, Int32(tag.count), tag.baseAddress) == 1
            && EVP_CipherFinal_ex(context.pointer, tag.baseAddress, &count) == 1
    }
}
