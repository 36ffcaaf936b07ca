/// A monitor of the host.
public struct SessionMonitor: Hashable, Sendable {
    /// What the host calls it in messages.
    public var id: String
    /// What it is called; may be empty.
    public var name: String
    /// In pixels.
    public var width: Int
    /// In pixels.
    public var height: Int
    /// Whether it is the host's main one.
    public var isMain: Bool

    /// Makes it as it is at first.
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
