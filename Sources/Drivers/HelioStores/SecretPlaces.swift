package import HelioCore

/// The places of an installation's key and pairings: files in a folder, or the Keychain.
package struct SecretPlaces: Sendable {
    private let folder: String
    private let keychain: (any KeychainAccess)?
    /// True if all is kept in memory, and ends with this program.
    package private(set) var isTemporary = false
    /// The devices that are kept in memory.
    private let memory = MemoryStorage()

    /// - Parameters:
    ///   - folder: the installation's folder; it need not exist yet.
    ///   - keychain: stores them instead of the folder; a list in the folder moves there with its first change.
    package init(folder: String, keychain: (any KeychainAccess)? = nil) {
        self.folder = folder
        self.keychain = keychain
    }

    /// The paired devices, which may connect to this machine.
    package var devices: DeviceStore {
        DeviceStore(in: isTemporary ? memory : place("devices", DeviceStore.file(in: folder)))
    }
    /// The paired hosts, which this installation may connect to.
    package var hosts: KnownHostStore { KnownHostStore(in: place("hosts", KnownHostStore.file(in: folder))) }

    /// The key mode of each host.
    package var keys: KeyModeStore { KeyModeStore(in: place("keys", KeyModeStore.file(in: folder))) }

    /// Loads this installation's key and certificate, or makes them. Throws `systemFailed` if that is not possible.
    package func identity() throws(HelioError) -> Identity {
        guard let keychain else { return try Identity.loadOrCreate(in: folder) }
        return try Identity.loadOrCreate(in: KeychainStorage("identity", in: keychain))
    }

    /// Returns the identity for sharing, and the places that go with it: these; or, where the folder can't be written,
    /// ones in memory, so that sharing is possible all the same. A key or folder that is open to others, or damaged,
    /// is an error as ever: what is in memory must not hide it.
    ///
    /// Throws `systemFailed`.
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
