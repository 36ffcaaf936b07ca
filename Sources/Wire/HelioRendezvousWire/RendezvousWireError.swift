/// The reason why bytes can't be parsed as a frame of the rendezvous. Any such error ends the connection.
package enum RendezvousWireError: String, Error, Sendable, Hashable, CaseIterable {
    /// A frame ends before its last field.
    case truncated = "rendezvous-truncated"
    /// Bytes follow the last field.
    case trailingBytes = "rendezvous-trailing-bytes"
    /// The first byte is no type that this side sends.
    case unknownKind = "rendezvous-unknown-kind"
    /// A field has a value that does not exist: a reason, a state, a flag.
    case badValue = "rendezvous-bad-value"
    /// A list, a text or a content is longer than `RendezvousLimits` allows.
    case tooLarge = "rendezvous-too-large"
    /// A text is no UTF-8.
    case badText = "rendezvous-bad-text"
}
