/// A format in which a clipboard's content is carried. The raw value is the one on the wire.
package enum ClipboardFormat: UInt8, Sendable, Hashable, CaseIterable {
    /// Plain text in UTF-8, with the line ends that it was copied with.
    case text = 1
    /// HTML in UTF-8: a piece of a page as a rule, not a whole one.
    case html = 2
    /// A picture as a PNG file.
    case png = 3
}
