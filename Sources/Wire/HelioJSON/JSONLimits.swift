/// The most of a text that its reader takes; past any of it the text is refused.
package struct JSONLimits: Hashable, Sendable {
    /// Bytes of the text.
    package var bytes: Int
    /// Arrays and objects inside each other.
    package var depth: Int
    /// Values in all, those that hold others among them.
    package var values: Int

    /// Whatever a caller asks for: the parser calls itself for each level.
    static let deepest = 64

    package init(bytes: Int, depth: Int = 16, values: Int = 1024) {
        self.bytes = bytes
        self.depth = depth
        self.values = values
    }
}
