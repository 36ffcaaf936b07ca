package import HelioProtection

/// The reason why a connection was not made, or broke.
package enum PeerConnectionFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// No path to the peer was found, or the path was lost. An ICE restart may find one.
    case noPath
    case handshake(DTLSFailure)
    /// The cryptography library could not make an association, or could not encrypt with its keys.
    case noProtection
    /// Media was agreed on, but the peer has no SRTP profile in common with this end.
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
