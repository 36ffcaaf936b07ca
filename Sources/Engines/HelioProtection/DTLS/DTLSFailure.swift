/// The reason why an association was never established, or broke.
package enum DTLSFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The peer's certificate is not the expected one: an attacker is in between, or the description is old.
    case wrongFingerprint
    /// The handshake took longer than ``DTLSConfiguration/handshakeLimit``, or its last retransmission was not
    /// answered.
    case timedOut
    /// The peer closed in the middle of the handshake.
    case closedByPeer
    /// The peer sent this alert (RFC 5246 section 7.2).
    case alert(UInt8)
    /// The library rejected the peer's handshake, with the reason in the library's words.
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
