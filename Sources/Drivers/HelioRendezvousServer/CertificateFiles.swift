private import Foundation
package import HelioCore
internal import HelioLoop
internal import HelioOpenSSL
internal import HelioStores

/// The files of a server's certificate and key, in PEM, as certificate authorities' programs write and renew them.
package struct CertificateFiles: Sendable, Hashable {
    /// The certificate, and those of its chain behind it.
    package var certificate: String
    /// The key, without a password, in a file that only its owner can read.
    package var key: String

    /// The longest file in bytes.
    private static let limit = 64 << 10

    package init(certificate: String, key: String) {
        self.certificate = certificate
        self.key = key
    }

    /// Reads the files, and returns the certificate's fingerprint as devices' addresses have it: its SHA-256 in base
    /// 32. Throws `systemFailed` if the files can't be used.
    package func fingerprint() throws(HelioError) -> String {
        let key = try parse(try read())
        do {
            return Base32.encode(try key.fingerprint()).lowercased()
        } catch {
            throw HelioError(.systemFailed, "\(certificate) has no fingerprint: \(error).", cause: error)
        }
    }

    /// The contents of both files.
    struct Text: Equatable {
        var certificate: [UInt8]
        var key: [UInt8]
    }

    /// Reads both files. Throws `systemFailed` if one can't be read, or if others can read the key.
    func read() throws(HelioError) -> Text {
        let bytes: Data
        do {
            bytes = try Data(contentsOf: URL(fileURLWithPath: certificate))
        } catch {
            throw HelioError(
                .systemFailed, "The certificate \(certificate) can't be read: \(NetworkFailure.words(error)).",
                cause: error)
        }
        guard bytes.count <= Self.limit else { throw HelioError(.systemFailed, "\(certificate) is too large.") }
        return Text(certificate: [UInt8](bytes), key: Array(try PrivatePaths.read(key, limit: Self.limit).utf8))
    }

    /// Makes the key with its certificate. Throws `systemFailed` if they are not in PEM, or don't belong to each other.
    func parse(_ text: Text) throws(HelioError) -> CertifiedKey {
        do {
            return try CertifiedKey(keyPEM: text.key, certificatePEM: text.certificate)
        } catch {
            throw HelioError(
                .systemFailed,
                "\(certificate) and \(key) are no certificate and key that belong to each other, in PEM and without a "
                    + "password.", cause: error)
        }
    }
}
