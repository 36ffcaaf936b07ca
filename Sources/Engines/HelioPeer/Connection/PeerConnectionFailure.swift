package import HelioProtection

/// Why a connection came to nothing, or broke.
package enum PeerConnectionFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// No way to the peer works, or none works any more. A restart of ICE may find one.
    case noPath
    case handshake(DTLSFailure)
    /// The library could make no association, or no protection with its keys.
    case noProtection
    /// The peer has media, and no SRTP profile of ours.
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
