/// The failures of a protocol on top of TLS, among them those that TLS causes.
package protocol ServerTrustFailure {
    static var untrusted: Self { get }
    static var wrongCertificate: Self { get }
    static var noTLS: Self { get }
    static var lost: Self { get }
}

extension ServerTrustFailure {
    /// Makes the failure of a TLS handshake.
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
