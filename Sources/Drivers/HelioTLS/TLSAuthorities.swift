/// The authorities that are trusted for a server's certificate.
package enum TLSAuthorities: Hashable, Sendable {
    /// None: each connection judges by fingerprint.
    case none
    /// Those that this machine trusts.
    case system
    /// Those of a file (PEM), and no others.
    case file(String)
}
