/// The number of a clipboard's state, assigned by the platform; it changes with each copy.
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
