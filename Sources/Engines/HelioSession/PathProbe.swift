import HelioCore
import HelioRTP

/// A probe of UDP: the viewer sends a small datagram, and the host answers with a few datagrams as large as media
/// packets, which the viewer counts.
///
/// Questions and answers are SRTCP packets, so they are authenticated and protected against replay. Answers are sent
/// only on a validated path.
///
/// ```
/// question | APP, "HPUP", subtype 0 | round (4 bytes) |
/// answer   | APP, "HPUP", subtype 1 | round (4 bytes) | index | count | zeros |
/// ```
struct PathProbe {
    enum Subtype: UInt8 {
        case question = 0
        case answer = 1
    }

    /// An answer of a round; `index` counts from 0, and `count` is the number of answers in the round.
    struct Answer: Equatable {
        var round: UInt32
        var index: Int
        var count: Int
    }

    static let name: UInt32 = 0x4850_5550
    /// The number of answers to one question.
    static let answers = 5
    /// The size of an answer's data in bytes: with headers and encryption, an answer is as long as a media packet.
    private static let answerBytes = 1152
    /// The minimum time between two questions that are answered; questions in between are ignored.
    static let spacing = Duration.milliseconds(200)

    static func question(_ round: UInt32, from sender: SSRC) -> RTCPPacket {
        var data: [UInt8] = []
        data.append(bigEndian: round)
        return .applicationDefined(.init(sender: sender, subtype: Subtype.question.rawValue, name: name, data: data))
    }

    /// Parses a question, and returns its round number; `nil` for any other packet.
    static func round(ofQuestion packet: ApplicationDefined) -> UInt32? {
        guard packet.name == name, packet.subtype == Subtype.question.rawValue, packet.data.count == 4 else {
            return nil
        }
        return packet.data.span.bytes.uint32(at: 0)
    }

    static func answers(to round: UInt32, from sender: SSRC) -> [RTCPPacket] {
        (0..<answers).map { index in
            var data: [UInt8] = []
            data.reserveCapacity(answerBytes)
            data.append(bigEndian: round)
            data.append(UInt8(index))
            data.append(UInt8(answers))
            data.append(contentsOf: repeatElement(0, count: answerBytes - data.count))
            return .applicationDefined(.init(sender: sender, subtype: Subtype.answer.rawValue, name: name, data: data))
        }
    }

    /// Parses an answer; `nil` for any other packet.
    static func answer(_ packet: ApplicationDefined) -> Answer? {
        guard packet.name == name, packet.subtype == Subtype.answer.rawValue,
            let round = packet.data.span.bytes.uint32(at: 0), packet.data.count >= 6
        else { return nil }
        let answer = Answer(round: round, index: Int(packet.data[4]), count: Int(packet.data[5]))
        return answer.index < answer.count && answer.count <= 32 ? answer : nil
    }
}
