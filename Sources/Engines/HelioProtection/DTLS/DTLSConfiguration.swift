/// The configuration of one DTLS association.
package struct DTLSConfiguration: Sendable {
    package var role: DTLSRole
    /// The fingerprints of the peer's session description, one of which its certificate must have; never empty. If a
    /// client's datagrams arrive before the description, the server's owner keeps them, or leaves it to the client to
    /// retransmit.
    package var expected: [DTLSFingerprint]
    /// The SRTP profiles to offer or accept, in order of preference; if empty, SRTP is not negotiated.
    package var srtpProfiles: [SRTPProfile] = [.aeadAes128Gcm, .aeadAes256Gcm, .aes128CmHmacSha1_80]
    /// The most bytes of a datagram of the handshake, in `Self.mtus`; larger messages are fragmented.
    package var mtu = 1200
    /// True if a server makes the client first show that it receives (RFC 6347 section 4.2.1), which takes one more
    /// round trip. Unneeded if ICE has shown that already.
    package var asksForCookie = false
    package var retransmission = DTLSRetransmission.Schedule()
    /// The time limit of the handshake, from the start; after it the handshake has failed.
    package var handshakeLimit: Duration = .seconds(30)

    package static let mtus = 300...4000

    package init(role: DTLSRole, expected: [DTLSFingerprint]) {
        self.role = role
        self.expected = expected
    }
}
