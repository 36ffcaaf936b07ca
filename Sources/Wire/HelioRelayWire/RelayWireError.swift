/// The reason why bytes can't be parsed as relay messages. Any such error ends the session (requirement row 136).
package enum RelayWireError: String, Error, Sendable, Hashable, CaseIterable {
    /// A message does not begin with `&`.
    case wrongPrefix = "relay-wrong-prefix"
    /// A length is 0, above the limit, or invalid for the kind.
    case wrongLength = "relay-wrong-length"
    /// The kind is unknown, or not allowed from this side.
    case unexpectedKind = "relay-unexpected-kind"
    /// A field has an invalid value.
    case malformed = "relay-malformed"
}
