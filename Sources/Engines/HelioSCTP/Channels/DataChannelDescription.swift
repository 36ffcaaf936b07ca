/// The parameters of a data channel, which both ends share (RFC 8831 section 6.4, RFC 8832 section 5.1).
package struct DataChannelDescription: Sendable, Hashable {
    /// The label, at most 65535 bytes of UTF-8.
    package var label: String
    /// The subprotocol, with the same limit; empty if there is none.
    package var subprotocol = ""
    package var isOrdered = true
    package var reliability = Reliability.reliable
    /// The priority: 128 below normal, 256 normal, 512 high, 1024 extra high. It is sent to the peer, but does not
    /// affect this end's scheduling.
    package var priority: UInt16 = 256

    package init(label: String) {
        self.label = label
    }
}
