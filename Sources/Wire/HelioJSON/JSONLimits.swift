/// The limits for parsing a text; a text that exceeds one of them is refused.
package struct JSONLimits: Hashable, Sendable {
    /// The maximum size of the text, in bytes.
    package var bytes: Int
    /// The maximum nesting depth of arrays and objects.
    package var depth: Int
    /// The maximum total number of values, including arrays and objects.
    package var values: Int

    /// The maximum nesting depth regardless of `depth`, as the parser recurses for each level.
    static let deepest = 64

    package init(bytes: Int, depth: Int = 16, values: Int = 1024) {
        self.bytes = bytes
        self.depth = depth
        self.values = values
    }
}
