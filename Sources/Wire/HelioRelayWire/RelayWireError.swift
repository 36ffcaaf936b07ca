/// The reason why bytes are no relay messages. Each ends the session (row 136).
package enum RelayWireError: String, Error, Sendable, Hashable, CaseIterable {
    /// A message does not begin with `&`.
    case wrongPrefix = "relay-wrong-prefix"
    /// A length is 0, over the limit, or not one that the kind may have.
    case wrongLength = "relay-wrong-length"
    /// There is no such kind, or not from this side.
    case unexpectedKind = "relay-unexpected-kind"
    /// A field has a value that has no meaning.
    case malformed = "relay-malformed"
}
