internal import HelioCore
internal import HelioRTP

/// Decides which packets belong to an unauthenticated stream (RFC 3550 appendix A.1), and extends their numbers.
///
/// A packet's origin is not proven, but no single stray packet can replace the stream while it is received: it restarts
/// with another SSRC, or with distant sequence numbers, only after `probation` packets with consecutive numbers.
struct UnprovenSource: Sendable {
    enum Verdict: Sendable, Equatable {
        case accepted(ExtendedSequence)
        /// The packet is accepted, and the stream has restarted: earlier state is void.
        case restarted(ExtendedSequence)
        case rejected
    }

    /// The number of consecutive packets after which a new stream is accepted.
    static let probation = 3
    /// The time without packets after which another SSRC is accepted without probation.
    static let patience = Duration.seconds(1)
    /// The maximum distance in packets by which a sequence number may be ahead, or behind, without counting as a
    /// restart.
    static let mostAhead: Int32 = 3000
    static let mostBehind: Int32 = 1000

    private(set) var ssrc: SSRC?
    private var extender = SequenceExtender()
    private var lastHeard = Instant.zero
    private var hasEnded = false
    private var candidate: (ssrc: SSRC, next: UInt16, count: Int)?

    /// Notes that the stream sent BYE: the next SSRC is accepted without probation.
    mutating func end() { hasEnded = true }

    mutating func handle(_ header: RTPHeader, now: Instant) -> Verdict {
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
