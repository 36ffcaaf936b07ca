/// The result of a handshake: what both ends of a DTLS association agreed on.
package struct DTLSSession: Sendable, Equatable {
    /// The fingerprint of the peer's certificate, one of the expected.
    package let peer: DTLSFingerprint
    /// The SRTP keys; `nil` if either end did not offer SRTP, or they have no profile in common.
    package let srtp: SRTPKeyPair?
    /// The cipher suite's name, as the library writes it: for statistics.
    package let cipher: String

    package init(peer: DTLSFingerprint, srtp: SRTPKeyPair?, cipher: String) {
        self.peer = peer
        self.srtp = srtp
        self.cipher = cipher
    }
}
