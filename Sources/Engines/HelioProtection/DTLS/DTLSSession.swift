/// What both ends of a DTLS association agreed on.
package struct DTLSSession: Sendable, Equatable {
    /// Which of the expected fingerprints the peer's certificate has.
    package let peer: DTLSFingerprint
    /// `nil` where either end did not speak of SRTP, or they have no profile in common.
    package let srtp: SRTPKeyPair?
    /// The suite's name, as the library writes it: for statistics.
    package let cipher: String

    package init(peer: DTLSFingerprint, srtp: SRTPKeyPair?, cipher: String) {
        self.peer = peer
        self.srtp = srtp
        self.cipher = cipher
    }
}
