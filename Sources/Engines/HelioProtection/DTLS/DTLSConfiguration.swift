/// The configuration of one DTLS association.
package struct DTLSConfiguration: Sendable {
    package var role: DTLSRole
    /// The fingerprints in the peer's session description, at least one; the peer's certificate must match one of them.
    /// A server can therefore be made only once the description has arrived; its owner may store the client's datagrams
    /// until then.
    package var expected: [DTLSFingerprint]
    /// The SRTP profiles to offer or accept, in order of preference. If it is empty, SRTP is not negotiated.
    package var srtpProfiles: [SRTPProfile] = [.aeadAes128Gcm, .aeadAes256Gcm, .aes128CmHmacSha1_80]
    /// The maximum size of a handshake datagram in bytes, within the range `mtus`; larger messages are fragmented.
    package var mtu = 1200
    /// True if a server verifies the client's address with a cookie (RFC 6347 section 4.2.1), which takes one more
    /// round trip. It is not needed after ICE has verified the address.
    package var asksForCookie = false
    package var retransmission = DTLSRetransmission.Schedule()
    /// The time limit of the whole handshake.
    package var handshakeLimit: Duration = .seconds(30)

    package static let mtus = 300...4000

    package init(role: DTLSRole, expected: [DTLSFingerprint]) {
        self.role = role
        self.expected = expected
    }
}
