/// The role of an end in the handshake. The client sends the first flight; in SDP it is `a=setup:active` (RFC 5763
/// section 5).
package enum DTLSRole: Sendable, Hashable {
    case client
    case server
}
