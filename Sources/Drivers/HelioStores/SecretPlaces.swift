package import HelioCore

/// Where an installation keeps its key and its pairings: in files of a folder, or in the Keychain.
package struct SecretPlaces: Sendable {
    private let folder: String
    private let keychain: (any KeychainAccess)?

    /// - Parameters:
    ///   - folder: the installation's folder; it need not exist yet.
    ///   - keychain: takes them in the folder's place; lists that are in the folder move in with their first change.
    package init(folder: String, keychain: (any KeychainAccess)? = nil) {
        self.folder = folder
        self.keychain = keychain
    }

    /// The devices that may come here.
    package var devices: DeviceStore { DeviceStore(in: place("devices", DeviceStore.file(in: folder))) }
    /// The hosts that this installation may go to.
    package var hosts: KnownHostStore { KnownHostStore(in: place("hosts", KnownHostStore.file(in: folder))) }

    /// What keys are at each host.
    package var keys: KeyModeStore { KeyModeStore(in: place("keys", KeyModeStore.file(in: folder))) }

    /// Loads this installation's key and certificate, or makes them. Throws `systemFailed` where that is not possible.
    package func identity() throws(HelioError) -> Identity {
        guard let keychain else { return try Identity.loadOrCreate(in: folder) }
        return try Identity.loadOrCreate(in: KeychainStorage("identity", in: keychain))
    }

    private func place(_ account: String, _ file: any SecretStorage) -> any SecretStorage {
        guard let keychain else { return file }
        return KeychainStorage(account, in: keychain, earlier: file)
    }
}
