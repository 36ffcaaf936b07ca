package import HelioCore
private import Synchronization

/// A list of secrets as one item of the Keychain. While there is no item, the contents are read from an earlier place.
package final class KeychainStorage: SecretStorage {
    package static let service = "Heliograph"
    /// The maximum number of bytes of an item: far above what the limit of any list needs.
    private static let mostBytes = 256 * 1024

    package let account: String
    package var place: String { "The Keychain's item \(account)" }
    private let keychain: any KeychainAccess
    private let earlier: (any SecretStorage)?
    /// Serializes the changes within this app, the only one that may use the items.
    private static let changing = Mutex(())

    /// - Parameter earlier: the former place of the list. It is read until the item exists, and never changed: an app
    ///   that is put back to an earlier version still knows its devices.
    package init(_ account: String, in keychain: any KeychainAccess, earlier: (any SecretStorage)? = nil) {
        self.account = account
        self.keychain = keychain
        self.earlier = earlier
    }

    /// A hash of the contents themselves: a Keychain item has no inode, and no modification time that could be trusted.
    package func fingerprint() -> FileFingerprint? {
        guard let data = try? read() else { return nil }
        // FNV-1a: it only tells one state from the next, and is no protection.
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
