/// Inputs of a viewer that are numbered one after the other, so that they may be sent again and by either channel: the
/// host does each once, in order (docs/web/protocol.md, "Numbered inputs").
package struct NumberedInputs: Hashable, Sendable {
    /// The number of the first, 0 ... 2^53 - 1. A session's first input has 0.
    package var first: UInt64
    /// One to ``most`` inputs; `nil` is one that can't be read, which has its number all the same.
    package var inputs: [ViewerMessage?]
    /// The viewer's clock, 0 ... 2^53 - 1, which the answer repeats.
    package var sentAt: UInt64

    /// The most inputs of a message.
    package static let most = 32
    /// The most bytes of JSON text of a message with inputs: however they are spelt, they are one message when they are
    /// written again.
    package static let maximumSize = 12_288

    package init(first: UInt64, inputs: [ViewerMessage?], sentAt: UInt64) {
        self.first = first
        self.inputs = inputs
        self.sentAt = sentAt
    }
}
