/// The reason why bytes from a bus are no message, or none that is read.
package enum DBusFault: String, Error, Hashable, Sendable {
    /// A message that ends within a value.
    case truncated = "dbus-truncated"
    /// Bytes that the specification forbids: an unknown byte order or version, padding that is not zero, a bool that is
    /// neither 0 nor 1, text without its zero byte.
    case malformed = "dbus-malformed"
    /// A signature that names no types.
    case badSignature = "dbus-bad-signature"
    /// A message above the most bytes or values that are read, or nested too deeply.
    case tooLarge = "dbus-too-large"
}
