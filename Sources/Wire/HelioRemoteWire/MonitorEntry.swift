package import HelioCore

/// One of the host's monitors.
package struct MonitorEntry: Hashable, Sendable {
    /// The identifier, 1 ... 64 bytes, opaque to viewers.
    package var id: String
    /// The human-readable name, at most 64 bytes.
    package var name: String
    package var size: PixelSize
    package var isPrimary: Bool

    package init(id: String, name: String, size: PixelSize, isPrimary: Bool) {
        self.id = id
        self.name = name
        self.size = size
        self.isPrimary = isPrimary
    }
}
