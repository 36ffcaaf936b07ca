package import HelioCore

/// A WHIP server's answer to the offer.
package struct WHIPAnswer: Sendable, Hashable {
    /// The SDP answer, unparsed: the body of the server's response.
    package var sdp: String
    /// The STUN and TURN servers that the answer names. They arrive too late for this session, and are used for the
    /// next one.
    package var servers: [WHIPServer]

    package init(sdp: String, servers: [WHIPServer]) {
        self.sdp = sdp
        self.servers = servers
    }

    /// The SDP answer without the candidates that are not allowed from a server at this address. A server with a global
    /// address may name only global candidates; a server on this machine or in a private network may name any
    /// candidate.
    package func description(from server: IPAddress?) -> String {
        guard server?.isGlobal ?? true else { return sdp }
        return sdp.split(separator: "\r\n", omittingEmptySubsequences: false)
            .flatMap { $0.split(separator: "\n", omittingEmptySubsequences: false) }
            .filter { !Self.isPrivateCandidate($0) }.joined(separator: "\r\n")
    }

    /// Returns true if the line is a candidate (RFC 8839 section 5.1) with a non-global address, or with a host name,
    /// which would be resolved in the local network.
    private static func isPrivateCandidate(_ line: Substring) -> Bool {
        guard line.utf8.starts(with: "a=candidate:".utf8) else { return false }
        let fields = line.split(separator: " ")
        guard fields.count > 4, let address = IPAddress(fields[4]) else { return true }
        return !address.isGlobal
    }
}
