/// Who drives the host.
public enum SessionDriver: Hashable, Sendable {
    /// Nobody: who acts next will.
    case nobody
    case you
    /// Somebody else, by the name that it gave itself; may be empty.
    case other(name: String)
}
