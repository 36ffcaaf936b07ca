package import HelioSDP

/// This end's transport in a description, as provided by ICE and DTLS. New credentials in an offer restart ICE.
package struct LocalTransport: Sendable, Hashable {
    package var usernameFragment: ICEUsernameFragment
    package var password: ICEPassword
    /// The certificate's fingerprints; at least one of SHA-256.
    package var fingerprints: [CertificateFingerprint]
    /// The candidates gathered so far; others trickle.
    package var candidates: [CandidateLine] = []
    package var isGatheringComplete = false
    package var isLite = false

    package init(
        usernameFragment: ICEUsernameFragment, password: ICEPassword, fingerprints: [CertificateFingerprint]
    ) {
        self.usernameFragment = usernameFragment
        self.password = password
        self.fingerprints = fingerprints
    }
}
