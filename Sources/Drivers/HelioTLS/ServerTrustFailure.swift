/// The reasons of a connection that failed, of a protocol on top of TLS, among them those that TLS gives.
package protocol ServerTrustFailure {
    static var untrusted: Self { get }
    static var wrongCertificate: Self { get }
    static var noTLS: Self { get }
    static var lost: Self { get }
}

extension ServerTrustFailure {
    /// What it means that TLS did not come about.
    package init(_ refusal: ServerTrust.Refusal) {
        switch refusal {
        case .untrusted: self = .untrusted
        case .wrongCertificate: self = .wrongCertificate
        case .noTLS: self = .noTLS
        // The next try may know nothing of it.
        case .endedEarly: self = .lost
        }
    }
}
