/// Why a parameter set or message can't be read.
package enum BitstreamError: Error, Hashable, Sendable {
    /// It ends before its last field.
    case truncated
    /// A field has a value that its standard forbids or that Heliograph refuses to work with.
    case invalid
}
