/// An error of reading a parameter set or message.
package enum BitstreamError: Error, Hashable, Sendable {
    /// The bytes end before the last field.
    case truncated
    /// A field has a value that its standard forbids or that Heliograph refuses to work with.
    case invalid
}
