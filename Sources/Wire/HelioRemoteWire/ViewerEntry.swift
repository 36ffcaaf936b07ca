/// A viewer in the list of ``HostMessage/viewers(_:)``.
public struct ViewerEntry: Hashable, Sendable {
    /// The viewer's number.
    public var viewer: ViewerNumber
    /// The name, at most 64 bytes.
    public var name: String
    /// True if the viewer is in control.
    public var drives: Bool
    /// True for the viewer that receives the list.
    public var isYou: Bool

    /// Makes an entry of the list.
    public init(viewer: ViewerNumber, name: String, drives: Bool, isYou: Bool) {
        self.viewer = viewer
        self.name = name
        self.drives = drives
        self.isYou = isYou
    }
}
