import COpenSSL
import HelioProtection

/// Reads and writes keys and certificates in PEM (RFC 7468).
enum KeyText {
    /// Reads an object from PEM.
    ///
    /// - Parameter body: reads from the given BIO; returns `nil` if it holds no such object.
    static func read(_ pem: [UInt8], by body: (OpaquePointer) -> OpaquePointer?) -> OpaquePointer? {
        pem.withUnsafeBytes { bytes in
            guard let count = Int32(exactly: bytes.count), let source = BIO_new_mem_buf(bytes.baseAddress, count) else {
                return nil
            }
            defer { BIO_free(source) }
            return body(source)
        }
    }

    /// Reads a private key without a password; `nil` if there is none.
    static func readKey(_ pem: [UInt8]) -> OpaquePointer? {
        read(pem) { source in
            // The callback returns an error; without it, OpenSSL would ask for the password at the terminal.
            PEM_read_bio_PrivateKey(source, nil, { _, _, _, _ in -1 }, nil)
        }
    }

    /// Returns the text that `body` writes.
    ///
    /// - Parameter operation: the name of the function that `body` calls, for the error.
    static func write(_ operation: String, by body: (OpaquePointer) -> Int32) throws(CryptoError) -> [UInt8] {
        defer { ERR_clear_error() }
        // Since the key is secret, secure memory is used, which is wiped when it is freed.
        guard let memory = BIO_new(BIO_s_secmem()) else { throw .failed(operation: "BIO_new") }
        defer { BIO_free(memory) }
        guard body(memory) == 1 else { throw .failed(operation: operation) }
        var bytes = [UInt8](repeating: 0, count: BIO_ctrl_pending(memory))
        let count = BIO_read(memory, &bytes, Int32(clamping: bytes.count))
        guard Int(count) == bytes.count else { throw .failed(operation: "BIO_read") }
        return bytes
    }

    /// Returns a private key in PEM (PKCS #8, without a password).
    static func writeKey(_ key: OpaquePointer) throws(CryptoError) -> [UInt8] {
        try write("PEM_write_bio_PrivateKey") { PEM_write_bio_PrivateKey($0, key, nil, nil, 0, nil, nil) }
    }
}
