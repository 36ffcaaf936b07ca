/// An end's role in the handshake. The client begins, which is `a=setup` of `active` (RFC 5763 section 5).
package enum DTLSRole: Sendable, Hashable {
    case client
    case server
}
