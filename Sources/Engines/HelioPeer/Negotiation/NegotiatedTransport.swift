package import HelioSDP

/// The one transport of all sections (BUNDLE, RFC 9143), as both descriptions have it.
package struct NegotiatedTransport: Sendable, Hashable {
    package enum DTLSRole: String, Sendable {
        /// Begins the handshake.
        case client
        case server
    }

    package var local: LocalTransport
    package var remoteUsernameFragment: ICEUsernameFragment
    package var remotePassword: ICEPassword
    /// The peer's strong fingerprints, at least one; its certificate must match one of them.
    package var remoteFingerprints: [CertificateFingerprint]
    package var isRemoteLite: Bool
    /// True if the peer may signal more candidates.
    package var isRemoteTrickling: Bool
    /// True where the peer takes candidates at any time (RFC 8838).
    package var takesTrickled = false
    package var remoteCandidates: [CandidateLine]
    package var role: DTLSRole
    /// True where this end nominates candidate pairs; decided by the first exchange (RFC 8445 section 6.1.1).
    package var isControlling: Bool
    /// The names of the sections on this transport.
    package var mids: [String]
    /// True where either end's credentials have changed.
    package var isICERestart = false
    /// True where DTLS starts anew: the first exchange, another certificate, or the roles changed (RFC 8842 section 4).
    package var isNewDTLSAssociation = true
}
