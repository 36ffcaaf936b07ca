package import HelioCore

/// An RTCP extended report (XR, RFC 3611, PT 207): a receiver's reference time and the answers to reference times. With
/// them a participant that sends no media measures the round trip. Other block types are ignored.
///
/// ```
/// |    4     | reserved |       2         |   the sender's NTP time (64)                          | section 4.4
/// |    5     | reserved |  3 n (16)       |   n times: SSRC, last reference time, delay since it  | section 4.5
/// ```
package struct ExtendedReport: Sendable, Hashable {
    /// The answer to a participant's reference time (DLRR).
    package struct Answer: Sendable, Hashable {
        static let words = 3
        /// The participant whose reference time is answered.
        package var ssrc: SSRC
        /// The middle 32 bits of the last NTP reference time received from the participant `ssrc` (LRR).
        package var lastReferenceTime: UInt32
        /// The time from the arrival of the reference time to the sending of this answer, in 1/65536 s (DLRR).
        package var delay: UInt32

        package init(ssrc: SSRC, lastReferenceTime: UInt32, delay: UInt32) {
            self.ssrc = ssrc
            self.lastReferenceTime = lastReferenceTime
            self.delay = delay
        }
    }

    /// The maximum number of answers in one report; a report with more is refused.
    package static let maximumAnswers = 31

    package var sender: SSRC
    /// The sender's clock as an NTP timestamp (RRTR); `nil` if the report has none.
    package var referenceTime: UInt64?
    package var answers: [Answer]

    package init(sender: SSRC, referenceTime: UInt64? = nil, answers: [Answer] = []) {
        self.sender = sender
        self.referenceTime = referenceTime
        self.answers = answers
    }

    /// The supported block types.
    private enum Block {
        static let referenceTime: UInt8 = 4
        static let answers: UInt8 = 5
    }

    /// Reads the body after the header; `nil` if the blocks do not fill it exactly, if a block has an invalid length
    /// for its type, or if there are more answers than `maximumAnswers`.
    static func parse(_ body: RawSpan) -> Self? {
        guard let sender = body.uint32(at: 0) else { return nil }
        var report = Self(sender: SSRC(sender))
        var offset = 4
        while offset < body.byteCount {
            guard let kind = body.uint8(at: offset), let words = body.uint16(at: offset + 2) else { return nil }
            let start = offset + 4
            offset = start + Int(words) * 4
            guard offset <= body.byteCount else { return nil }
            switch kind {
            case Block.referenceTime:
                guard words == 2, let time = body.uint64(at: start) else { return nil }
                report.referenceTime = time
            case Block.answers:
                guard words.isMultiple(of: UInt16(Answer.words)),
                    report.answers.count + Int(words) / Answer.words <= maximumAnswers
                else { return nil }
                for at in stride(from: start, to: offset, by: Answer.words * 4) {
                    guard let ssrc = body.uint32(at: at), let last = body.uint32(at: at + 4),
                        let delay = body.uint32(at: at + 8)
                    else { return nil }
                    report.answers.append(Answer(ssrc: SSRC(ssrc), lastReferenceTime: last, delay: delay))
                }
            default: break
            }
        }
        return report
    }

    func write(into datagram: inout [UInt8]) {
        precondition(answers.count <= Self.maximumAnswers, "too many answers in an extended report")
        datagram.append(bigEndian: sender.rawValue)
        if let referenceTime {
            datagram += [Block.referenceTime, 0, 0, 2]
            datagram.append(bigEndian: referenceTime)
        }
        guard !answers.isEmpty else { return }
        datagram += [Block.answers, 0, 0, UInt8(answers.count * Answer.words)]
        for answer in answers {
            datagram.append(bigEndian: answer.ssrc.rawValue)
            datagram.append(bigEndian: answer.lastReferenceTime)
            datagram.append(bigEndian: answer.delay)
        }
    }
}
