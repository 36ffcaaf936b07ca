/// A format of a clipboard's content, with the content's size.
package struct ClipboardEntry: Sendable, Hashable {
    package var format: ClipboardFormat
    /// The size of the content in bytes as its owner declares it, a hint that may be wrong; `nil` if unknown.
    package var size: Int?

    package init(_ format: ClipboardFormat, size: Int? = nil) {
        self.format = format
        self.size = size
    }
}
