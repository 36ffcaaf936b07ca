/// The purpose of a button, which determines its look.
public enum ButtonRole: Hashable, Sendable {
    case standard
    /// The action that the user most likely wants next.
    case prominent
    /// An action that ends or deletes something.
    case destructive
    case cancel
}
