/// What a candidate speaks.
package enum CandidateTransport: Hashable, Sendable {
    case udp
    case tcp(TCPRole)

    /// Who connects (RFC 6544 section 4.5).
    package enum TCPRole: String, Hashable, Sendable, CaseIterable {
        case active
        case passive
        /// Both at once.
        case simultaneousOpen = "so"
    }
}
