/// One of those who watch.
package struct ViewerEntry: Hashable, Sendable {
    package var viewer: ViewerNumber
    /// At most 64 bytes.
    package var name: String
    package var drives: Bool
    /// It is the one to whom the list goes.
    package var isYou: Bool

    package init(viewer: ViewerNumber, name: String, drives: Bool, isYou: Bool) {
        self.viewer = viewer
        self.name = name
        self.drives = drives
        self.isYou = isYou
    }
}
