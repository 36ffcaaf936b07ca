/// The purpose of a button, which determines its look.
public enum ButtonRole: Hashable, Sendable {
    case standard
    /// The action that most people want next.
    case prominent
    /// Ends or forgets something.
    case destructive
    case cancel
}
