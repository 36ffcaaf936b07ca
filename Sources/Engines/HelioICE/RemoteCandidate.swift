package import HelioCore
package import HelioSTUN

/// An address at which the peer may be reached: signalled, or learnt from a check.
package struct RemoteCandidate: Hashable, Sendable {
    package var kind: CandidateKind
    package var address: TransportAddress
    package var priority: UInt32
    package var foundation: String
    /// The peer's role in opening the connection, with TCP; `nil` with UDP.
    package var tcpRole: CandidateTransport.TCPRole?
    /// True if learnt from a check when a pair was already in use: the peer has moved.
    var isLate = false
}
