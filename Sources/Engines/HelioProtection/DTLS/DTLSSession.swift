/// The result of a DTLS handshake.
package struct DTLSSession: Sendable, Equatable {
    /// The fingerprint of the peer's certificate, which is one of the expected ones.
    package let peer: DTLSFingerprint
    /// The SRTP keys; `nil` if an end has not offered SRTP, or the ends have no profile in common.
    package let srtp: SRTPKeyPair?
    /// The library's name of the cipher suite, for statistics.
    package let cipher: String

    package init(peer: DTLSFingerprint, srtp: SRTPKeyPair?, cipher: String) {
        self.peer = peer
        self.srtp = srtp
        self.cipher = cipher
    }
}
