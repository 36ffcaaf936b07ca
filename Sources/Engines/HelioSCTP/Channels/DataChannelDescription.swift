/// What both ends of a data channel know of it (RFC 8831 section 6.4, RFC 8832 section 5.1).
package struct DataChannelDescription: Sendable, Hashable {
    /// At most 65535 bytes of UTF-8.
    package var label: String
    /// Likewise; empty where there is none.
    package var subprotocol = ""
    package var isOrdered = true
    package var reliability = Reliability.reliable
    /// 128 below normal, 256 normal, 512 high, 1024 extra high. Told to the other end, and of no effect here.
    package var priority: UInt16 = 256

    package init(label: String) {
        self.label = label
    }
}
