/// The limits of a text that its reader takes; past any of them the text is refused.
package struct JSONLimits: Hashable, Sendable {
    /// The most bytes of the text.
    package var bytes: Int
    /// The most arrays and objects inside each other.
    package var depth: Int
    /// The most values in all, those that hold others among them.
    package var values: Int

    /// The most levels, whatever a caller asks for: the parser calls itself for each one.
    static let deepest = 64

    package init(bytes: Int, depth: Int = 16, values: Int = 1024) {
        self.bytes = bytes
        self.depth = depth
        self.values = values
    }
}
