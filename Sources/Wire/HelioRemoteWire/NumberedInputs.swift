/// Consecutively numbered inputs of a viewer. The viewer may retransmit them, on either channel; the host executes each
/// input once, in order (docs/web/protocol.md, "Numbered inputs").
public struct NumberedInputs: Hashable, Sendable {
    /// The number of the first input, 0 ... 2^53 - 1. A session's first input has 0.
    public var first: UInt64
    /// The inputs, from one to ``most``; `nil` for an input that can't be parsed, which is numbered nevertheless.
    public var inputs: [ViewerMessage?]
    /// The viewer's clock, 0 ... 2^53 - 1, which the host returns in the acknowledgement.
    public var sentAt: UInt64

    /// The maximum number of inputs in a message.
    public static let most = 32
    /// The maximum size of a message with inputs, in bytes of JSON. It is below ``ViewerMessage/maximumSize``, as the
    /// message may get longer when it is parsed and serialised again with other escapes.
    public static let maximumSize = 12_288

    /// Makes a message's inputs, the first of which has the number `first`.
    public init(first: UInt64, inputs: [ViewerMessage?], sentAt: UInt64) {
        self.first = first
        self.inputs = inputs
        self.sentAt = sentAt
    }
}
