package import HelioCore
private import Synchronization

/// A storage for secrets in one item of the Keychain. While the item does not exist, the contents are read from the
/// former storage.
package final class KeychainStorage: SecretStorage {
    package static let service = "Heliograph"
    /// The maximum size of an item in bytes, far above the size of a full list.
    private static let mostBytes = 256 * 1024

    package let account: String
    package var place: String { "The Keychain's item \(account)" }
    private let keychain: any KeychainAccess
    private let earlier: (any SecretStorage)?
    /// Serializes the changes within this app, which is the only program that may use the items.
    private static let changing = Mutex(())

    /// - Parameter earlier: the former storage of the list. It is read until the item exists, and never changed, so
    ///   that an app that is downgraded to an earlier version still knows its devices.
    package init(_ account: String, in keychain: any KeychainAccess, earlier: (any SecretStorage)? = nil) {
        self.account = account
        self.keychain = keychain
        self.earlier = earlier
    }

    /// Returns a hash of the contents: a Keychain item has no inode, and no reliable modification time.
    package func fingerprint() -> FileFingerprint? {
        guard let data = try? read() else { return nil }
        // FNV-1a is sufficient to detect changes; it does not protect against attackers.
        let hash = data.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        return FileFingerprint(inode: hash, size: Int64(data.count), modified: 0)
    }

    package func read() throws(HelioError) -> [UInt8]? {
        let (code, data) = keychain.copy(service: Self.service, account: account)
        switch KeychainStatus(code) {
        case .done:
            guard let data, data.count <= Self.mostBytes else { throw failure("is damaged or too large") }
            return data
        case .notFound: return try earlier?.read()
        case let status: throw failure(status.explanation)
        }
    }

    package func change(_ body: ([UInt8]?) throws(HelioError) -> [UInt8]) throws(HelioError) {
        var failure: HelioError?
        Self.changing.withLock { _ in
            do throws(HelioError) { try write(try body(try read())) } catch { failure = error }
        }
        if let failure { throw failure }
    }

    /// Updates the item, or adds it if there is none; tries once more if it appeared or vanished meanwhile.
    private func write(_ data: [UInt8]) throws(HelioError) {
        guard data.count <= Self.mostBytes else { throw failure("would be too large") }
        var status = KeychainStatus.notFound
        for _ in 0..<2 {
            status = KeychainStatus(keychain.update(data, service: Self.service, account: account))
            guard status == .notFound else { break }
            status = KeychainStatus(keychain.add(data, service: Self.service, account: account))
            guard status == .duplicate else { break }
        }
        if status != .done { throw failure(status.explanation) }
    }

    private func failure(_ what: String) -> HelioError { HelioError(.systemFailed, "\(place) \(what).") }
}
