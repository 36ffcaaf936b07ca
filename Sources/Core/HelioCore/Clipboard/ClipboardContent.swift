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

/// A format in which a clipboard's content is transferred. The raw value is used on the wire.
package enum ClipboardFormat: UInt8, Sendable, Hashable, CaseIterable {
    /// Plain text in UTF-8, with its original line endings.
    case text = 1
    /// HTML in UTF-8, usually a fragment and not a whole page.
    case html = 2
    /// A picture as a PNG file.
    case png = 3
}

/// The serial number of a clipboard's state, assigned by the platform; it changes with each copy.
package struct ClipboardSerial: Sendable, Hashable {
    package var rawValue: UInt64
    package init(_ rawValue: UInt64) { self.rawValue = rawValue }
}

/// The identifier of a paste: a program of this machine requests content that the other machine offers. Assigned by the
/// platform.
package struct PasteID: Sendable, Hashable {
    package var rawValue: UInt64
    package init(_ rawValue: UInt64) { self.rawValue = rawValue }
}

/// The identifier of a read of this machine's clipboard, assigned by the reader.
package struct ClipboardReadID: Sendable, Hashable {
    package var rawValue: UInt64
    package init(_ rawValue: UInt64) { self.rawValue = rawValue }
}

/// The reason why a clipboard's content is not available.
package enum ClipboardFailure: String, Error, Sendable, Hashable, CaseIterable {
    /// Other content was copied in the meantime, or the owner of the content is gone.
    case gone
    /// The content exceeds the limit of one of the two ends.
    case tooLarge = "too-large"
    /// At least one end does not allow the clipboard in this direction, or has stopped allowing it.
    case notAllowed = "not-allowed"
    /// The limit of concurrent requests, or of the bytes buffered for them, is reached.
    case busy
    /// The owner did not supply the content, or the transfer failed.
    case failed
    /// The content did not arrive in time.
    case timedOut = "timed-out"
    /// The content does not match its format: invalid UTF-8, or not a PNG.
    case invalid
}
