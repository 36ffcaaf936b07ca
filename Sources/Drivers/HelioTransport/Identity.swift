private import Crypto
private import Foundation
package import HelioCore
package import NIOSSL
private import SwiftASN1
private import X509

/// Who this installation is: a P-256 key and a self-signed certificate, kept in files that only their
/// owner may read.
///
/// The certificate's SHA-256 is the fingerprint that a link carries and TLS is checked against; names and
/// dates in it mean nothing to Heliograph.
package struct Identity: Sendable {
    package let certificate: NIOSSLCertificate
    package let privateKey: NIOSSLPrivateKey
    /// SHA-256 of the certificate in DER, 32 bytes.
    package let fingerprint: [UInt8]

    /// Loads the identity from `folder`, or makes one there (folder 0700, files 0600).
    ///
    /// Throws `systemFailed` where the folder can't be used, or where folder, key or certificate are open to others.
    package static func loadOrCreate(in folder: String) throws(HelioError) -> Identity {
        let keyPath = folder + "/key.pem"
        let certificatePath = folder + "/certificate.pem"
        try PrivatePaths.check(folder: folder)
        do {
            let files = FileManager.default
            if !files.fileExists(atPath: keyPath) || !files.fileExists(atPath: certificatePath) {
                try create(keyPath: keyPath, certificatePath: certificatePath, folder: folder)
            }
            try PrivatePaths.check(keyPath, mayBeRead: false)
            try PrivatePaths.check(certificatePath, mayBeRead: true)
            let certificate = try NIOSSLCertificate.fromPEMFile(certificatePath)[0]
            let key = try NIOSSLPrivateKey(file: keyPath, format: .pem)
            return Identity(
                certificate: certificate, privateKey: key, fingerprint: try certificate.sha256Fingerprint())
        } catch let error as HelioError {
            throw error
        } catch {
            throw HelioError(
                .systemFailed,
                "This installation's identity in \(folder) can't be used: \(error). Make the folder writable, or "
                    + "name another with HELIOGRAPH_HOME.", cause: error)
        }
    }

    private static func create(keyPath: String, certificatePath: String, folder: String) throws {
        let privateKey = P256.Signing.PrivateKey()
        let name = try DistinguishedName { CommonName("Heliograph") }
        let key = Certificate.PrivateKey(privateKey)
        let now = Date()
        let certificate = try Certificate(
            version: .v3, serialNumber: .init(), publicKey: key.publicKey,
            notValidBefore: now.addingTimeInterval(-86400),
            notValidAfter: now.addingTimeInterval(86400 * 365 * 20), issuer: name, subject: name,
            signatureAlgorithm: .ecdsaWithSHA256, extensions: .init(), issuerPrivateKey: key)
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try write(privateKey.pemRepresentation, to: keyPath)
        try write(certificate.serializeAsPEM().pemString, to: certificatePath)
    }

    /// Made with its final permissions, so that nobody can open it in between.
    private static func write(_ text: String, to path: String) throws {
        let made = FileManager.default.createFile(
            atPath: path + ".new", contents: nil, attributes: [.posixPermissions: 0o600])
        guard made, let file = FileHandle(forWritingAtPath: path + ".new") else {
            throw HelioError(.systemFailed, "\(path) can't be written: make its folder writable.")
        }
        try file.write(contentsOf: Data(text.utf8))
        try file.close()
        _ = try? FileManager.default.removeItem(atPath: path)
        try FileManager.default.moveItem(atPath: path + ".new", toPath: path)
    }
}

extension NIOSSLCertificate {
    /// SHA-256 of the certificate in DER.
    package func sha256Fingerprint() throws -> [UInt8] {
        Array(SHA256.hash(data: try toDERBytes()))
    }
}
