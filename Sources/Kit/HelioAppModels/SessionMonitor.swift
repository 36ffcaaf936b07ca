/// A monitor of the host.
public struct SessionMonitor: Hashable, Sendable {
    /// The host's identifier of the monitor.
    public var id: String
    /// The monitor's name; may be empty.
    public var name: String
    /// The width in pixels.
    public var width: Int
    /// The height in pixels.
    public var height: Int
    /// True for the host's main monitor.
    public var isMain: Bool

    /// Makes a monitor, by default not the main monitor.
    public init(id: String, name: String, width: Int, height: Int, isMain: Bool = false) {
        self.id = id
        self.name = name
        self.width = width
        self.height = height
        self.isMain = isMain
    }

    var label: Phrase {
        let shown = name.isEmpty ? id : name
        return isMain ? Phrase(.sessionMainMonitor, shown) : .verbatim(shown)
    }

    var detail: Phrase { Phrase(.sessionSize, "\(width)", "\(height)") }
}
