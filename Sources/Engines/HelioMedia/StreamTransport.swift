/// The transport by which the media of a session go to a viewer.
package enum StreamTransport: String, Sendable, CaseIterable {
    /// Datagrams, each by itself.
    case udp
    /// The signalling connection, as interleaved frames (RFC 2326 section 10.12).
    case tcp
}
