/// What was wrong in values of AMF0: none of them is of use then.
package enum AMF0Fault: Error, Hashable, Sendable {
    /// It ends in the midst of a value.
    case cutShort
    /// A kind of value that is not read: references, and what the format reserves.
    case unsupported
    /// Values in values in values, or more of them than are kept.
    case tooMany
}
