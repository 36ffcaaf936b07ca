import HelioAppModels

/// A key-value store in memory that survives the restart of an app's flow, like a device's defaults.
@MainActor
final class MemoryStore: KeyValueStore {
    struct Full: Error, CustomStringConvertible { let description = "The disk is full." }

    var texts: [String: String] = [:]
    var isFull = false

    func text(_ key: String) -> String? { texts[key] }

    func set(_ text: String?, for key: String) throws {
        if isFull { throw Full() }
        texts[key] = text
    }
}
