/// A format in which a clipboard's content is carried. The raw value is used on the wire.
package enum ClipboardFormat: UInt8, Sendable, Hashable, CaseIterable {
    /// Plain text in UTF-8, with its original line endings.
    case text = 1
    /// HTML in UTF-8, usually a fragment and not a whole page.
    case html = 2
    /// A picture as a PNG file.
    case png = 3
}
