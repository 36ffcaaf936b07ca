package import HelioSDP

/// What a description tells of this end's transport. ICE and DTLS make it; new credentials in an offer restart ICE.
package struct LocalTransport: Sendable, Hashable {
    package var usernameFragment: ICEUsernameFragment
    package var password: ICEPassword
    /// Of the certificate; at least one of SHA-256.
    package var fingerprints: [CertificateFingerprint]
    /// Gathered so far; others trickle.
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
