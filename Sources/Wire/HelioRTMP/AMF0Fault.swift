/// The reason why AMF0 values can't be parsed; all values of the message are then discarded.
package enum AMF0Fault: Error, Hashable, Sendable {
    /// The bytes end inside a value.
    case cutShort
    /// A value has an unsupported type: a reference, or a type that the format reserves.
    case unsupported
    /// The message has too many values, or nests them too deep.
    case tooMany
}
