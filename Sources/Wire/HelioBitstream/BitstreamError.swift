/// The reason why a parameter set or message can't be read.
package enum BitstreamError: Error, Hashable, Sendable {
    /// The bytes end before the last field.
    case truncated
    /// A field has a value that its standard forbids or that Heliograph does not support.
    case invalid
}
