/// What one DTLS association is made with.
package struct DTLSConfiguration: Sendable {
    package var role: DTLSRole
    /// The peer's certificate has one of these, as its session description says; never empty. A server that is called
    /// before it knows them keeps the datagrams, or lets the client send them again.
    package var expected: [DTLSFingerprint]
    /// In the order of preference; where it is empty, SRTP is not spoken of.
    package var srtpProfiles: [SRTPProfile] = [.aeadAes128Gcm, .aeadAes256Gcm, .aes128CmHmacSha1_80]
    /// The most bytes of a datagram of the handshake, in `Self.mtus`: larger messages are cut.
    package var mtu = 1200
    /// As server: has the client show first that it hears us (RFC 6347 section 4.2.1), for one more round trip.
    /// Of no use where ICE has shown that already.
    package var asksForCookie = false
    package var retransmission = DTLSRetransmission.Schedule()
    /// Counts from the start; after this the handshake has failed.
    package var handshakeLimit: Duration = .seconds(30)

    package static let mtus = 300...4000

    package init(role: DTLSRole, expected: [DTLSFingerprint]) {
        self.role = role
        self.expected = expected
    }
}
