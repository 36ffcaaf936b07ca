/// A protocol's type of failures, which has to include the failures of TLS.
package protocol ServerTrustFailure {
    static var untrusted: Self { get }
    static var wrongCertificate: Self { get }
    static var noTLS: Self { get }
    static var lost: Self { get }
}

extension ServerTrustFailure {
    /// Makes the protocol's failure for a failed TLS handshake.
    package init(_ refusal: ServerTrust.Refusal) {
        switch refusal {
        case .untrusted: self = .untrusted
        case .wrongCertificate: self = .wrongCertificate
        case .noTLS: self = .noTLS
        // The next attempt may succeed.
        case .endedEarly: self = .lost
        }
    }
}
