/// The number that a platform gives to a state of its clipboard: another one whenever somebody copies.
package struct ClipboardSerial: Sendable, Hashable {
    package var rawValue: UInt64
    package init(_ rawValue: UInt64) { self.rawValue = rawValue }
}

/// The number of a paste: a program of this machine wants content that the other machine offers. The platform gives it.
package struct PasteID: Sendable, Hashable {
    package var rawValue: UInt64
    package init(_ rawValue: UInt64) { self.rawValue = rawValue }
}

/// The number of a read of this machine's clipboard. Whoever asks for the content gives it.
package struct ClipboardReadID: Sendable, Hashable {
    package var rawValue: UInt64
    package init(_ rawValue: UInt64) { self.rawValue = rawValue }
}
