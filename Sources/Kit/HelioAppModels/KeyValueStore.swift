/// A small persistent store of texts by key: `UserDefaults` on Apple's systems, a file elsewhere.
@MainActor
public protocol KeyValueStore: AnyObject {
    /// Returns the text for a key; `nil` if there is none.
    func text(_ key: String) -> String?
    /// Stores a text for a key; `nil` removes the key. Throws an error if the store can't be written.
    func set(_ text: String?, for key: String) throws
}
