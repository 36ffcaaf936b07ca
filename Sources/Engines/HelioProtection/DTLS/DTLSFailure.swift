/// The reason for the failure of a handshake or an association.
package enum DTLSFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The peer's certificate matches no expected fingerprint: there is a man in the middle, or the description is
    /// outdated.
    case wrongFingerprint
    /// The handshake took longer than ``DTLSConfiguration/handshakeLimit``, or a flight's last retransmission was not
    /// answered.
    case timedOut
    /// The peer closed the association during the handshake.
    case closedByPeer
    /// The peer sent a fatal alert with this number (RFC 5246 section 7.2).
    case alert(UInt8)
    /// The library rejected the peer's handshake; the text is the library's reason.
    case refused(String)

    package var description: String {
        switch self {
        case .wrongFingerprint: "the peer's certificate is not the expected one"
        case .timedOut: "the handshake took too long"
        case .closedByPeer: "the peer ended the handshake"
        case .alert(let number): "the peer refused with alert \(number)"
        case .refused(let words): "the peer's handshake was refused: \(words)"
        }
    }
}
