public import HelioCore

/// One of the host's monitors.
public struct MonitorEntry: Hashable, Sendable {
    /// The identifier, 1 ... 64 bytes, opaque to viewers.
    public var id: String
    /// The human-readable name, at most 64 bytes.
    public var name: String
    /// The size in pixels.
    public var size: PixelSize
    /// True for the monitor that the system calls its primary one.
    public var isPrimary: Bool

    /// Makes an entry of the list.
    public init(id: String, name: String, size: PixelSize, isPrimary: Bool) {
        self.id = id
        self.name = name
        self.size = size
        self.isPrimary = isPrimary
    }
}
