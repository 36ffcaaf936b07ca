internal import HelioCore
private import Synchronization

/// A storage for secrets in memory, whose contents are lost when this program ends.
final class MemoryStorage: SecretStorage {
    private let bytes = Mutex<[UInt8]?>(nil)

    var place: String { "memory" }

    /// Always `nil`: no other program changes the contents.
    func fingerprint() -> FileFingerprint? { nil }

    func read() throws(HelioError) -> [UInt8]? { bytes.withLock { $0 } }

    func change(_ body: ([UInt8]?) throws(HelioError) -> [UInt8]) throws(HelioError) {
        try bytes.withLock { bytes throws(HelioError) in bytes = try body(bytes) }
    }
}
