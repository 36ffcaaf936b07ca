import COpenSSL
import HelioProtection

/// Owns an `EVP_CIPHER_CTX` with a fixed cipher and key; each packet sets a new IV.
final class CipherContext {
    /// The longest input in bytes, as OpenSSL's lengths are `Int32`.
    static let longest = Int(Int32.max) - 64

    let pointer: OpaquePointer

    init(_ cipher: OpaquePointer?, key: SecretBytes, isEncrypting: Bool) throws(CryptoError) {
        guard let cipher, let context = EVP_CIPHER_CTX_new() else {
            throw .failed(operation: "EVP_CIPHER_CTX_new")
        }
        pointer = context
        guard Int(EVP_CIPHER_get_key_length(cipher)) == key.count else { throw .badLength(key.count) }
        let status = key.bytes.withUnsafeBufferPointer {
            EVP_CipherInit_ex(context, cipher, nil, $0.baseAddress, nil, isEncrypting ? 1 : 0)
        }
        guard status == 1 else { throw .failed(operation: "EVP_CipherInit_ex") }
    }

    deinit {
        // `EVP_CIPHER_CTX_free` also wipes the key.
        EVP_CIPHER_CTX_free(pointer)
    }

    /// Makes an AES-GCM context for a key of 16 or 32 bytes.
    static func gcm(key: SecretBytes, isEncrypting: Bool) throws(CryptoError) -> CipherContext {
        try CipherContext(
            key.count == 32 ? EVP_aes_256_gcm() : EVP_aes_128_gcm(), key: key, isEncrypting: isEncrypting)
    }

    /// Feeds the associated data: the packet's first bytes and the trailer, if any. Returns false if OpenSSL fails.
    func authenticate(_ head: UnsafeBufferPointer<UInt8>, trailer: UInt32?) -> Bool {
        var count: Int32 = 0
        if !head.isEmpty, EVP_CipherUpdate(pointer, nil, &count, head.baseAddress, Int32(head.count)) != 1 {
            return false
        }
        guard let trailer else { return true }
        return withUnsafeBytes(of: trailer.bigEndian) {
            EVP_CipherUpdate(pointer, nil, &count, $0.bindMemory(to: UInt8.self).baseAddress, 4) == 1
        }
    }

    /// Encrypts or decrypts in place. Returns false if OpenSSL fails.
    func transform(_ bytes: UnsafeMutableBufferPointer<UInt8>) -> Bool {
        if bytes.isEmpty { return true }
        var count: Int32 = 0
        return EVP_CipherUpdate(pointer, bytes.baseAddress, &count, bytes.baseAddress, Int32(bytes.count)) == 1
            && Int(count) == bytes.count
    }

    /// Starts a packet with its IV; cipher and key stay the same. Returns false if OpenSSL fails.
    func start(_ iv: RawSpan) -> Bool {
        iv.withUnsafeBytes {
            EVP_CipherInit_ex(pointer, nil, nil, nil, $0.bindMemory(to: UInt8.self).baseAddress, -1) == 1
        }
    }
}
