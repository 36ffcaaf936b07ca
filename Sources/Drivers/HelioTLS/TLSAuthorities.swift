/// The authorities that are trusted for a server's certificate.
package enum TLSAuthorities: Hashable, Sendable {
    /// No authorities: each connection checks the certificate's fingerprint.
    case none
    /// The authorities that this machine trusts.
    case system
    /// The authorities in this file (PEM), and no others.
    case file(String)
}
