package import HelioCore
package import HelioSTUN

/// An address at which the peer may be reached: signalled, or discovered by a check.
package struct RemoteCandidate: Hashable, Sendable {
    package var kind: CandidateKind
    package var address: TransportAddress
    package var priority: UInt32
    package var foundation: String
    /// The peer's role in the TCP connection, which it opens or accepts; `nil` with UDP.
    package var tcpRole: CandidateTransport.TCPRole?
    /// True if discovered by a check after a pair was selected: the peer's address has changed.
    var isLate = false
}
