/// A small persistent store of texts by key: `UserDefaults` on Apple's systems, a file elsewhere.
@MainActor
public protocol KeyValueStore: AnyObject {
    /// Returns the text for a key; `nil` if there is none.
    func text(_ key: String) -> String?
    /// Stores a text; `nil` removes it. Throws if that fails.
    func set(_ text: String?, for key: String) throws
}
