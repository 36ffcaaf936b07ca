import HelioSDP

/// An error of a call to a connection; the call has then changed nothing.
package enum PeerConnectionError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The connection was closed earlier, by `close` or by the peer.
    case closed
    /// The text is not a session description.
    case malformedDescription
    case negotiation(NegotiationError)
    /// The description requires a second DTLS association, with another certificate or swapped roles. Browsers never
    /// send one. A new connection is needed.
    case newAssociation
    /// The argument of `addCandidate` is not a candidate.
    case malformedCandidate
    /// The cryptography library failed.
    case noProtection
    /// The number of candidates added before their description exceeds the limit.
    case tooManyCandidates

    package var description: String {
        switch self {
        case .closed: "the connection is closed"
        case .malformedDescription: "this is no session description (SDP)"
        case .negotiation(let error): error.description
        case .newAssociation: "the peer's certificate or its role changed: that needs a new connection"
        case .malformedCandidate: "this is no ICE candidate"
        case .noProtection: "this system's library for cryptography is of no use"
        case .tooManyCandidates: "more candidates came before the description than are kept"
        }
    }
}
