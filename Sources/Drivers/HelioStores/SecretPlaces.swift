package import HelioCore
package import HelioOpenSSL

/// The storages of an installation's key and pairings: files in a folder, or the Keychain.
package struct SecretPlaces: Sendable {
    private static let identityAccount = "identity"

    private let folder: String
    private let keychain: (any KeychainAccess)?
    /// True if key and paired devices are only in memory, and are lost when this program ends.
    package private(set) var isTemporary = false
    /// The storage of the paired devices if they are kept in memory.
    private let memory = MemoryStorage()
    /// The storage of the key for rendezvous servers if it is kept in memory.
    private let keyMemory = MemoryStorage()

    /// - Parameters:
    ///   - folder: the installation's folder; it need not exist yet.
    ///   - keychain: the Keychain to use instead of the folder. A list in the folder moves to the Keychain with its
    ///     first change. If the app's signature has no right to it, the folder is used: a Mac's app that is signed to
    ///     run locally, or without a provisioning profile, gets `errSecMissingEntitlement` for every item.
    package init(folder: String, keychain: (any KeychainAccess)? = nil) {
        self.folder = folder
        self.keychain = keychain.flatMap { Self.isOurs($0) ? $0 : nil }
    }

    /// True unless the system denies this app all items of the Keychain. Any other error, such as a locked device, is
    /// left to those who use an item: the folder must not hide it.
    private static func isOurs(_ keychain: any KeychainAccess) -> Bool {
        let (code, _) = keychain.copy(service: KeychainStorage.service, account: identityAccount)
        return KeychainStatus(code) != .notEntitled
    }

    /// The paired devices, which may connect to this machine.
    package var devices: DeviceStore {
        DeviceStore(in: isTemporary ? memory : place("devices", DeviceStore.file(in: folder)))
    }
    /// The paired hosts, which this installation may connect to.
    package var hosts: KnownHostStore { KnownHostStore(in: place("hosts", KnownHostStore.file(in: folder))) }

    /// The key mode of each host.
    package var keys: KeyModeStore { KeyModeStore(in: place("keys", KeyModeStore.file(in: folder))) }

    /// Loads this installation's key and certificate, or makes them. Throws `systemFailed` if they can't be loaded or
    /// made.
    package func identity() throws(HelioError) -> Identity {
        guard let keychain else { return try Identity.loadOrCreate(in: folder) }
        return try Identity.loadOrCreate(in: KeychainStorage(Self.identityAccount, in: keychain))
    }

    /// Loads the key by which rendezvous servers know this device, or makes it. Throws `systemFailed` if it can't be
    /// loaded or made.
    package func deviceKey() throws(HelioError) -> Ed25519Key {
        let storage = isTemporary ? keyMemory : place("rendezvous-key", DeviceKeyStore.file(in: folder))
        return try DeviceKeyStore(in: storage).loadOrCreate()
    }

    /// Returns the identity for sharing, and the storages that belong to it. If the folder can't be written, both are
    /// in memory, so that sharing is possible nevertheless. A key or folder that is damaged or open to others is still
    /// an error, which storage in memory must not hide.
    ///
    /// Throws `systemFailed` if the identity can't be used, except for an unwritable folder.
    package func forSharing() throws(HelioError) -> (places: SecretPlaces, identity: Identity) {
        do throws(HelioError) {
            return (self, try identity())
        } catch {
            guard error.reason == Identity.unwritable else { throw error }
            var places = self
            places.isTemporary = true
            return (places, try Identity.temporary())
        }
    }

    private func place(_ account: String, _ file: any SecretStorage) -> any SecretStorage {
        guard let keychain else { return file }
        return KeychainStorage(account, in: keychain, earlier: file)
    }
}
