/// The negotiated data channel section (RFC 8841).
package struct NegotiatedData: Sendable, Hashable {
    package var section: Int
    package var mid: String?
    package var localPort: UInt16
    package var remotePort: UInt16
    /// The maximum size of a message that the peer accepts, in bytes; `nil` for no limit.
    package var maximumSentMessageSize: UInt64?
}
