/// The transport of a session's media to a viewer.
package enum StreamTransport: String, Sendable, CaseIterable {
    /// RTP packets in UDP datagrams.
    case udp
    /// Interleaved frames on the signalling connection (RFC 2326 section 10.12).
    case tcp
}
