/// A small store of texts under names, which outlives the app: `UserDefaults` on Apple's systems, a file elsewhere.
@MainActor
public protocol KeyValueStore: AnyObject {
    /// The text under this name; `nil` where there is none.
    func text(_ key: String) -> String?
    /// Stores a text, or with `nil` removes it. Throws where that can't be done.
    func set(_ text: String?, for key: String) throws
}
