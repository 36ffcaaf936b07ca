/// Who speaks first: `a=setup` of `active` is the client (RFC 5763 section 5).
package enum DTLSRole: Sendable, Hashable {
    case client
    case server
}
