/// The lines of an app's log about its screens: what was pressed, reported and executed.
///
/// Only names are logged, never values: codes, links, names and typed text stay out. The exception is a failure's
/// message, which by the rules of this project has no secret.
public enum ScreenLog {
    /// The cases whose values are messages for the user.
    private static let messages: Set<String> = ["failed", "loginItemFailed", "note", "notStored"]

    /// Returns a line such as `event failed: The display is gone.`
    ///
    /// - Parameter value: an action, event or effect; an enum.
    public static func line(_ kind: String, _ value: some Any) -> String {
        let mirror = Mirror(reflecting: value)
        // A case without values has no children, and describes itself by its name.
        guard let (label, content) = mirror.children.first, let name = label else {
            return mirror.children.isEmpty ? "\(kind) \(value)" : kind
        }
        guard messages.contains(name), let message = content as? String else { return "\(kind) \(name)" }
        return "\(kind) \(name): \(message)"
    }
}
