/// The section of data channels (RFC 8841).
package struct NegotiatedData: Sendable, Hashable {
    package var section: Int
    package var mid: String?
    package var localPort: UInt16
    package var remotePort: UInt16
    /// The longest message that the peer takes, in bytes; `nil` for no limit.
    package var maximumSentMessageSize: UInt64?
}
