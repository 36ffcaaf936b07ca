/// The limits of a parsed text; a text beyond any of them is refused.
package struct JSONLimits: Hashable, Sendable {
    /// The most bytes of the text.
    package var bytes: Int
    /// The most nested arrays and objects.
    package var depth: Int
    /// The most values in all, including arrays and objects.
    package var values: Int

    /// The most levels regardless of `depth`: the parser recurses for each one.
    static let deepest = 64

    package init(bytes: Int, depth: Int = 16, values: Int = 1024) {
        self.bytes = bytes
        self.depth = depth
        self.values = values
    }
}
