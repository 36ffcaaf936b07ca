/// How a button looks and what it is for.
public enum ButtonRole: Hashable, Sendable {
    case standard
    /// What most people want next.
    case prominent
    /// Ends or forgets something.
    case destructive
    case cancel
}
