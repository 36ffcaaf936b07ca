/// A WHIP server's answer to the offer.
package struct WHIPAnswer: Sendable, Hashable {
    /// The session description.
    package var sdp: String
    /// The STUN and TURN servers that it names. They come too late for this offer, and are for the next.
    package var servers: [WHIPServer]

    package init(sdp: String, servers: [WHIPServer]) {
        self.sdp = sdp
        self.servers = servers
    }
}
