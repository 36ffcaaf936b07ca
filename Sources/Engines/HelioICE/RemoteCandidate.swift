package import HelioCore
package import HelioSTUN

/// An address at which the peer may be reached: told by signalling, or learnt from a check.
package struct RemoteCandidate: Hashable, Sendable {
    package var kind: CandidateKind
    package var address: TransportAddress
    package var priority: UInt32
    package var foundation: String
    /// The end that connects, by TCP; `nil` by UDP.
    package var tcpRole: CandidateTransport.TCPRole?
    /// True if learnt when a pair was in use already: the peer has moved.
    var isLate = false
}
