private import Foundation
package import HelioCore
package import HelioOpenSSL

/// The identity of this installation: a P-256 key and a self-signed certificate, stored in files that only their owner
/// may read or in the Keychain.
///
/// The certificate's SHA-256 is the fingerprint in links, against which TLS connections are checked. Names and dates in
/// the certificate are ignored.
package struct Identity: Sendable {
    package let key: CertifiedKey
    /// The SHA-256 of the certificate in DER, 32 bytes.
    package let fingerprint: [UInt8]

    /// The `HelioError.reason` if the folder can't be written.
    static let unwritable = "folder-unwritable"

    /// Makes an identity that is not stored, and is lost when this program ends.
    static func temporary() throws(HelioError) -> Identity {
        do {
            let pem = try newPEM()
            let key = try CertifiedKey(keyPEM: pem, certificatePEM: pem)
            return Identity(key: key, fingerprint: try key.fingerprint())
        } catch {
            throw HelioError(.systemFailed, "No identity can be made: \(error).", cause: error)
        }
    }

    /// Loads the identity from `folder`, or makes one there (folder 0700, files 0600).
    ///
    /// Throws `systemFailed` if the folder can't be used, or if folder, key or certificate are open to others.
    package static func loadOrCreate(in folder: String) throws(HelioError) -> Identity {
        let keyPath = folder + "/key.pem"
        let certificatePath = folder + "/certificate.pem"
        try PrivatePaths.check(folder: folder)
        func unusable(_ error: any Error, reason: String?) -> HelioError {
            HelioError(
                .systemFailed,
                "This installation's identity in \(folder) can't be used: \(Self.words(error)). Make the folder "
                    + "writable.",
                remedy: .chooseHome, reason: reason, cause: error)
        }
        do {
            let files = FileManager.default
            if !files.fileExists(atPath: keyPath) || !files.fileExists(atPath: certificatePath) {
                do {
                    try create(keyPath: keyPath, certificatePath: certificatePath, folder: folder)
                } catch {
                    throw unusable(error, reason: unwritable)
                }
            }
            try PrivatePaths.check(keyPath, mayBeRead: false)
            try PrivatePaths.check(certificatePath, mayBeRead: true)
            let key = try CertifiedKey(keyPEM: read(keyPath), certificatePEM: read(certificatePath))
            return Identity(key: key, fingerprint: try key.fingerprint())
        } catch let error as HelioError {
            throw error
        } catch {
            throw unusable(error, reason: nil)
        }
    }

    /// Loads the identity from a storage for secrets, or makes one there. The storage contains the key in PEM, followed
    /// by the certificate in PEM.
    ///
    /// Throws `systemFailed` if the storage can't be used, or if its contents are not a valid identity.
    package static func loadOrCreate(in storage: any SecretStorage) throws(HelioError) -> Identity {
        do {
            var pem = try storage.read()
            if pem == nil {
                try storage.change { existing throws(HelioError) in
                    if let existing {
                        pem = existing
                        return existing
                    }
                    let made = try newPEM()
                    pem = made
                    return made
                }
            }
            let key = try CertifiedKey(keyPEM: pem ?? [], certificatePEM: pem ?? [])
            return Identity(key: key, fingerprint: try key.fingerprint())
        } catch let error as HelioError {
            throw error
        } catch {
            throw HelioError(
                .systemFailed, "This installation's identity in \(storage.place) can't be used: \(Self.words(error)).",
                cause: error)
        }
    }

    /// Returns a human-readable description of an error: a Foundation error's own description contains type names and
    /// numbers.
    private static func words(_ error: any Error) -> String {
        guard error is CocoaError else { return "\(error)" }
        let text = error.localizedDescription
        return text.hasSuffix(".") ? String(text.dropLast()) : text
    }

    private static func newPEM() throws(HelioError) -> [UInt8] {
        do {
            let key = try CertifiedKey(selfSigned: "Heliograph", lifetime: .seconds(86400 * 365 * 20))
            return try key.keyPEM() + key.certificatePEM()
        } catch {
            throw HelioError(.systemFailed, "No identity can be made: \(error).", cause: error)
        }
    }

    private static func create(keyPath: String, certificatePath: String, folder: String) throws {
        let key = try CertifiedKey(selfSigned: "Heliograph", lifetime: .seconds(86400 * 365 * 20))
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try write(key.keyPEM(), to: keyPath)
        try write(key.certificatePEM(), to: certificatePath)
    }

    private static func read(_ path: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    /// Writes a file that has its final permissions from its creation, so that other users can never open it.
    private static func write(_ bytes: [UInt8], to path: String) throws {
        let made = FileManager.default.createFile(
            atPath: path + ".new", contents: nil, attributes: [.posixPermissions: 0o600])
        guard made, let file = FileHandle(forWritingAtPath: path + ".new") else {
            throw HelioError(.systemFailed, "\(path) can't be written: make its folder writable.")
        }
        try file.write(contentsOf: Data(bytes))
        try file.close()
        _ = try? FileManager.default.removeItem(atPath: path)
        try FileManager.default.moveItem(atPath: path + ".new", toPath: path)
    }
}
