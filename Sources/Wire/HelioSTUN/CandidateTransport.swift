/// The transport protocol of an ICE candidate (UDP: RFC 8445; TCP: RFC 6544).
package enum CandidateTransport: Hashable, Sendable {
    case udp
    case tcp(TCPRole)

    /// The candidate's role in opening a TCP connection (RFC 6544 section 4.5).
    package enum TCPRole: String, Hashable, Sendable, CaseIterable {
        case active
        case passive
        /// The two ends open the connection simultaneously.
        case simultaneousOpen = "so"
    }
}
