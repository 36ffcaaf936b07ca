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
    /// Strong ones alone, one at least: the peer's certificate must match one.
    package var remoteFingerprints: [CertificateFingerprint]
    package var isRemoteLite: Bool
    /// More candidates may come.
    package var isRemoteTrickling: Bool
    /// The peer takes candidates at any time (RFC 8838).
    package var takesTrickled = false
    package var remoteCandidates: [CandidateLine]
    package var role: DTLSRole
    /// Nominates candidate pairs; settled by the first exchange (RFC 8445 section 6.1.1).
    package var isControlling: Bool
    /// Names of the sections that it carries.
    package var mids: [String]
    /// Either end's credentials are others than before.
    package var isICERestart = false
    /// DTLS starts anew: the first exchange, another certificate, or the roles changed (RFC 8842 section 4).
    package var isNewDTLSAssociation = true
}
