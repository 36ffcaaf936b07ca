/// Whose word is taken for a server's certificate.
package enum TLSAuthorities: Hashable, Sendable {
    /// Nobody's: each connection judges by fingerprint.
    case none
    /// Whom this machine trusts.
    case system
    /// Those of a file (PEM), and nobody else.
    case file(String)
}
