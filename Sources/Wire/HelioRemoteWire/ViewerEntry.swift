/// A viewer in the list of ``HostMessage/viewers(_:)``.
package struct ViewerEntry: Hashable, Sendable {
    package var viewer: ViewerNumber
    /// The name, at most 64 bytes.
    package var name: String
    package var drives: Bool
    /// True for the viewer that receives the list.
    package var isYou: Bool

    package init(viewer: ViewerNumber, name: String, drives: Bool, isYou: Bool) {
        self.viewer = viewer
        self.name = name
        self.drives = drives
        self.isYou = isYou
    }
}
