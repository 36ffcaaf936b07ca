/// The viewer that drives the host.
public enum SessionDriver: Hashable, Sendable {
    /// Nobody drives; the next viewer that sends input becomes the driver.
    case nobody
    case you
    /// Another viewer drives; the name is the one that it gave itself, and may be empty.
    case other(name: String)
}
