internal import HelioCore
internal import HelioRTP

/// Which of the packets that claim to be of the stream are (RFC 3550 appendix A.1), with their numbers widened.
///
/// Without a key there is no proof; but a single stray packet never takes over. The stream may begin again, with
/// another SSRC or far off in its numbers: after so many packets in a row that agree.
struct UnprovenSource: Sendable {
    enum Verdict: Sendable, Equatable {
        case accepted(ExtendedSequence)
        /// As `accepted`, and nothing that was known of the stream before holds for it.
        case restarted(ExtendedSequence)
        case rejected
    }

    /// Packets in a row that make a new stream believed.
    static let probation = 3
    /// A stream that was silent for so long does not have to be outvoted.
    static let patience = Duration.seconds(1)
    /// How far a number may lie ahead, and behind, without being another beginning.
    static let mostAhead: Int32 = 3000
    static let mostBehind: Int32 = 1000

    private(set) var ssrc: SSRC?
    private var extender = SequenceExtender()
    private var lastHeard = Instant.zero
    private var hasEnded = false
    private var candidate: (ssrc: SSRC, next: UInt16, count: Int)?

    /// The stream said good-bye: whichever comes next is the next.
    mutating func end() { hasEnded = true }

    mutating func take(_ header: RTPHeader, now: Instant) -> Verdict {
        guard let ssrc else {
            self.ssrc = header.ssrc
            return .accepted(accept(header, now))
        }
        if ssrc == header.ssrc, let highest = extender.highest {
            let distance = Int32(Int16(bitPattern: header.sequence &- highest.wire))
            if (-Self.mostBehind...Self.mostAhead).contains(distance) { return .accepted(accept(header, now)) }
        } else if hasEnded || now - lastHeard >= Self.patience {
            return restart(header, now)
        }
        var count = 1
        if let candidate, candidate.ssrc == header.ssrc, candidate.next == header.sequence {
            count = candidate.count + 1
        }
        if count >= Self.probation { return restart(header, now) }
        candidate = (header.ssrc, header.sequence &+ 1, count)
        return .rejected
    }

    private mutating func restart(_ header: RTPHeader, _ now: Instant) -> Verdict {
        ssrc = header.ssrc
        extender = SequenceExtender()
        candidate = nil
        hasEnded = false
        return .restarted(accept(header, now))
    }

    private mutating func accept(_ header: RTPHeader, _ now: Instant) -> ExtendedSequence {
        let sequence = extender.extended(header.sequence)
        extender.accept(sequence)
        lastHeard = now
        return sequence
    }
}
