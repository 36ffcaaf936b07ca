package import HelioSDP

/// The transport that all sections share (BUNDLE, RFC 9143), with the parameters of both ends.
package struct NegotiatedTransport: Sendable, Hashable {
    package enum DTLSRole: String, Sendable {
        /// Starts the handshake.
        case client
        case server
    }

    package var local: LocalTransport
    package var remoteUsernameFragment: ICEUsernameFragment
    package var remotePassword: ICEPassword
    /// The peer's fingerprints with SHA-256 or a longer hash, at least one. Its certificate must match one of them.
    package var remoteFingerprints: [CertificateFingerprint]
    package var isRemoteLite: Bool
    /// True if the peer may signal more candidates.
    package var isRemoteTrickling: Bool
    /// True if the peer supports trickled candidates (RFC 8838).
    package var takesTrickled = false
    package var remoteCandidates: [CandidateLine]
    package var role: DTLSRole
    /// True if this end has the controlling ICE role, as decided by the first exchange (RFC 8445 section 6.1.1).
    package var isControlling: Bool
    /// The `mid`s of the sections on this transport.
    package var mids: [String]
    /// True if the ICE credentials of at least one end have changed.
    package var isICERestart = false
    /// True if a new DTLS association is needed: at the first exchange, or if a certificate or the roles have changed
    /// (RFC 8842 section 4).
    package var isNewDTLSAssociation = true
}
