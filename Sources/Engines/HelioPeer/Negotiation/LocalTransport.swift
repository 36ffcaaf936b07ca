package import HelioSDP

/// This end's ICE and DTLS parameters for a description. New credentials in an offer restart ICE.
package struct LocalTransport: Sendable, Hashable {
    package var usernameFragment: ICEUsernameFragment
    package var password: ICEPassword
    /// The fingerprints of the certificate; at least one has to use SHA-256 or a longer hash.
    package var fingerprints: [CertificateFingerprint]
    /// The candidates gathered so far; later candidates trickle.
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
