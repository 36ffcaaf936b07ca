/// An error of parsing AMF0 values, all of which are then discarded.
package enum AMF0Fault: Error, Hashable, Sendable {
    /// The bytes end inside a value.
    case cutShort
    /// An unsupported kind of value: references, and the kinds that the format reserves.
    case unsupported
    /// Values nested too deep, or too many of them.
    case tooMany
}
