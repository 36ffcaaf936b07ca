import COpenSSL
import Foundation
import HelioOpenSSL

/// A certificate authority for tests.
final class Authority {
    struct Failure: Error {}

    private let key: OpaquePointer
    private let certificate: OpaquePointer
    private let folder = FileManager.default.temporaryDirectory.appending(path: "heliograph-\(UUID().uuidString)")
    /// The path of its certificate, in PEM format.
    let file: String

    init() throws {
        guard let key = helio_ssl_new_p256_key(), let certificate = X509_new() else { throw Failure() }
        self.key = key
        self.certificate = certificate
        file = folder.appending(path: "authority.pem").path
        try Self.fill(certificate, "Authority \(UUID())", key, days: -1...30)
        try Self.extend(certificate, NID_basic_constraints, "critical,CA:TRUE")
        try sign(certificate)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(Self.pem { PEM_write_bio_X509($0, certificate) }).write(to: URL(fileURLWithPath: file))
    }

    deinit {
        X509_free(certificate)
        EVP_PKEY_free(key)
        try? FileManager.default.removeItem(at: folder)
    }

    /// - Parameters:
    ///   - names: in OpenSSL's notation: "DNS:host,IP:127.0.0.1".
    ///   - days: the validity period in days relative to today.
    func issue(_ names: String, days: ClosedRange<Int> = -1...1) throws -> CertifiedKey {
        guard let own = helio_ssl_new_p256_key(), let leaf = X509_new() else { throw Failure() }
        defer {
            X509_free(leaf)
            EVP_PKEY_free(own)
        }
        try Self.fill(leaf, "leaf", own, days: days)
        try Self.extend(leaf, NID_subject_alt_name, names)
        try sign(leaf)
        return try CertifiedKey(
            keyPEM: Self.pem { PEM_write_bio_PrivateKey($0, own, nil, nil, 0, nil, nil) },
            certificatePEM: Self.pem { PEM_write_bio_X509($0, leaf) })
    }

    private func sign(_ leaf: OpaquePointer) throws {
        guard X509_set_issuer_name(leaf, X509_get_subject_name(certificate)) == 1,
            X509_sign(leaf, key, EVP_sha256()) > 0
        else { throw Failure() }
    }

    private static func fill(
        _ leaf: OpaquePointer, _ name: String, _ key: OpaquePointer, days: ClosedRange<Int>
    ) throws {
        guard
            X509_NAME_add_entry_by_txt(X509_get_subject_name(leaf), "CN", MBSTRING_UTF8, name, -1, -1, 0) == 1,
            X509_set_version(leaf, 2) == 1, ASN1_INTEGER_set_uint64(X509_get_serialNumber(leaf), 1) == 1,
            X509_gmtime_adj(X509_getm_notBefore(leaf), days.lowerBound * 86_400) != nil,
            X509_gmtime_adj(X509_getm_notAfter(leaf), days.upperBound * 86_400) != nil,
            X509_set_pubkey(leaf, key) == 1
        else { throw Failure() }
    }

    private static func extend(_ leaf: OpaquePointer, _ kind: Int32, _ value: String) throws {
        guard let more = X509V3_EXT_conf_nid(nil, nil, kind, value) else { throw Failure() }
        defer { X509_EXTENSION_free(more) }
        guard X509_add_ext(leaf, more, -1) == 1 else { throw Failure() }
    }

    private static func pem(_ write: (OpaquePointer) -> Int32) throws -> [UInt8] {
        guard let memory = BIO_new(BIO_s_mem()) else { throw Failure() }
        defer { BIO_free(memory) }
        guard write(memory) == 1 else { throw Failure() }
        var bytes = [UInt8](repeating: 0, count: BIO_ctrl_pending(memory))
        guard Int(BIO_read(memory, &bytes, Int32(bytes.count))) == bytes.count else { throw Failure() }
        return bytes
    }
}
