import HelioCore
import HelioRTP

/// Path validation, as in QUIC (RFC 9000 section 8.2): checks that a viewer can be reached at the address from which
/// its genuine datagram arrived. An attacker could intercept a genuine datagram and send it from another address, to
/// direct media at a third party.
///
/// The question is an RTCP packet, encrypted like all others, with 16 random bytes. The viewer answers at once with the
/// same bytes.
///
/// ```
/// | APP, "HPTH", subtype 0: the question, 1: the answer | token (16 bytes) |
/// ```
struct PathChallenge {
    enum Subtype: UInt8 {
        case question = 0
        case answer = 1
    }

    static let name: UInt32 = 0x4850_5448
    static let tokenBytes = 16
    /// The minimum time between two questions, so that an unvalidated address is sent fewer bytes than arrived from it.
    static let spacing = Duration.milliseconds(100)

    let path: PathID
    let token: [UInt8]
    private(set) var asked: Instant

    init(_ path: PathID, now: Instant, random: inout some RandomNumberGenerator) {
        self.path = path
        token = (0..<Self.tokenBytes).map { _ in UInt8.random(in: 0...255, using: &random) }
        asked = now
    }

    /// Returns whether the question may be repeated now; if so, records it as sent.
    mutating func mayAsk(now: Instant) -> Bool {
        guard now - asked >= Self.spacing else { return false }
        asked = now
        return true
    }

    func question(from sender: SSRC) -> RTCPPacket { Self.packet(.question, token, sender) }

    /// Makes the viewer's answer to a question; `nil` for any other packet.
    static func answer(to packet: ApplicationDefined, from sender: SSRC) -> RTCPPacket? {
        guard packet.name == name, packet.subtype == Subtype.question.rawValue, packet.data.count == tokenBytes else {
            return nil
        }
        return Self.packet(.answer, packet.data, sender)
    }

    /// Returns whether the packet is the right answer, and arrived on the path that the question was sent on.
    func isAnswered(by packet: ApplicationDefined, from path: PathID) -> Bool {
        path == self.path && packet.name == Self.name && packet.subtype == Subtype.answer.rawValue
            && packet.data == token
    }

    private static func packet(_ subtype: Subtype, _ token: [UInt8], _ sender: SSRC) -> RTCPPacket {
        .applicationDefined(.init(sender: sender, subtype: subtype.rawValue, name: name, data: token))
    }
}
