package import HelioCore
package import HelioOpenSSL

/// The key by which this installation proves to rendezvous servers which device it is: `rendezvous-key.pem` in the
/// installation's folder, or an item of the Keychain.
package struct DeviceKeyStore: Sendable {
    private let storage: any SecretStorage

    package init(in storage: any SecretStorage) { self.storage = storage }

    /// Returns the file that stores the key in an installation's folder.
    package static func file(in folder: String) -> any SecretStorage {
        SecretFile(
            folder: folder, name: "rendezvous-key.pem",
            advice: "Remove it to get a new one: who is to reach this machine by a rendezvous server then has to pair "
                + "again.")
    }

    /// Loads the key, or makes one. Throws `systemFailed` if the storage can't be used, or if it holds no such key.
    package func loadOrCreate() throws(HelioError) -> Ed25519Key {
        if let pem = try storage.read() { return try key(pem) }
        var made: [UInt8] = []
        try storage.change { existing throws(HelioError) in
            // Another program may have made one since the storage was read.
            made = if let existing { existing } else { try newPEM() }
            return made
        }
        return try key(made)
    }

    private func key(_ pem: [UInt8]) throws(HelioError) -> Ed25519Key {
        do {
            return try Ed25519Key(pem: pem)
        } catch {
            throw HelioError(
                .systemFailed,
                "\(storage.place) holds no key. Remove it to get a new one: who is to reach this machine by a "
                    + "rendezvous server then has to pair again.", cause: error)
        }
    }

    private func newPEM() throws(HelioError) -> [UInt8] {
        do {
            return try Ed25519Key().pem()
        } catch {
            throw HelioError(.systemFailed, "No key can be made: \(error).", cause: error)
        }
    }
}
