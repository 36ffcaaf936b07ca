/// A format that a clipboard has something in, and how much.
package struct ClipboardEntry: Sendable, Hashable {
    package var format: ClipboardFormat
    /// The size of the content in bytes as whoever copied it declares it: a hint that may be wrong. `nil`: not known.
    package var size: Int?

    package init(_ format: ClipboardFormat, size: Int? = nil) {
        self.format = format
        self.size = size
    }
}
