/// The viewer that drives the host.
public enum SessionDriver: Hashable, Sendable {
    /// Nobody: the next viewer that gives input becomes the driver.
    case nobody
    case you
    /// Another viewer, with the name that it gave itself, which may be empty.
    case other(name: String)
}
