package import HelioProtection

/// The reason for the state `failed`.
package enum PeerConnectionFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// No path to the peer was found, or the path was lost. An ICE restart may find a path.
    case noPath
    case handshake(DTLSFailure)
    /// The cryptography library could not create the DTLS association, the SRTP contexts or the SCTP association.
    case noProtection
    /// Media was negotiated, but the two ends have no SRTP profile in common.
    case noCommonSRTPProfile

    package var description: String {
        switch self {
        case .noPath: "no way to the peer works"
        case .handshake(let failure): failure.description
        case .noProtection: "the connection can't be encrypted here"
        case .noCommonSRTPProfile: "the peer has no SRTP profile in common with this end"
        }
    }
}
