/// Consecutively numbered inputs of a viewer, which may be retransmitted, and on either channel: the host executes each
/// once, in order (docs/web/protocol.md, "Numbered inputs").
package struct NumberedInputs: Hashable, Sendable {
    /// The number of the first input, 0 ... 2^53 - 1. A session's first input has 0.
    package var first: UInt64
    /// One to ``most`` inputs; `nil` for an input that can't be parsed, which still takes up a number.
    package var inputs: [ViewerMessage?]
    /// The viewer's clock, 0 ... 2^53 - 1, which the acknowledgement repeats.
    package var sentAt: UInt64

    /// The most inputs in a message.
    package static let most = 32
    /// The most bytes of JSON text of a message with inputs, low enough that it fits into one message after it is
    /// parsed and serialised again, however it was escaped.
    package static let maximumSize = 12_288

    package init(first: UInt64, inputs: [ViewerMessage?], sentAt: UInt64) {
        self.first = first
        self.inputs = inputs
        self.sentAt = sentAt
    }
}
