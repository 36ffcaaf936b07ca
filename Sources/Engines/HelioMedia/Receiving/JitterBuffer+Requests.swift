internal import HelioCore

extension JitterBuffer {
    private static let repeatSpacing = Duration.milliseconds(15)

    /// The time between two requests for the same packet, within which a retransmission should arrive.
    var requestSpacing: Duration {
        let roundTrip = roundTrip ?? .milliseconds(50)
        return max(.milliseconds(3), roundTrip * 5 / 4 + statistics.jitterDuration * 2)
    }

    /// Requests in one NACK all missing packets whose request is due.
    mutating func requestMissing(now: Instant) {
        guard let due = nextRequest, due <= now else { return }
        nextRequest = nil
        guard let highest else { return }
        var list: [ExtendedSequence] = []
        let again = now + requestSpacing
        // Each request is sent twice if the path loses packets and its round trip is too long for a second attempt; the
        // source answers only one of the two.
        let isTwice = awaitedParity != nil && requestSpacing > Self.repeatSpacing * 3
        let most = configuration.mostRequests * (isTwice ? 2 : 1)
        var sequence = base
        while sequence <= highest {
            defer { sequence += 1 }
            guard let slot = ring.missing(sequence), slot.requests < most else { continue }
            var next = slot.nextRequest
            if next <= now {
                list.append(ExtendedSequence(sequence))
                next = isTwice && slot.requests % 2 == 0 ? now + Self.repeatSpacing : again
                ring.noteRequest(sequence, now: now, next: next)
                if slot.requests + 1 == most { continue }
            }
            nextRequest = min(nextRequest ?? next, next)
        }
        if !list.isEmpty { outputs.append(.nack(list)) }
    }

    /// Notes that no more parity will arrive for packets before `first`: those that are missing are requested as soon
    /// as the wait for reordered packets is over. Requests for later packets wait for `patience`.
    mutating func awaitParity(from first: UInt64, patience: Duration, now: Instant) {
        awaitedParity = patience > .zero ? (first, patience) : nil
        guard nextRequest != nil, let highest else { return }
        var sequence = base
        while sequence <= highest, sequence < first {
            if let slot = ring.missing(sequence), slot.requests == 0 {
                let request = max(now, slot.since + reorderTolerance)
                if request < slot.nextRequest {
                    ring.hurry(sequence, to: request)
                    nextRequest = min(nextRequest ?? request, request)
                }
            }
            sequence += 1
        }
    }

    /// Requests a repair picture if one may help, otherwise a keyframe, and repeats the request until one begins.
    mutating func requestKeyframe(now: Instant) {
        guard !isFlowing, let due = nextKeyframeRequest, due <= now else { return }
        if let since = repairableSince(now: now) {
            repairsAsked = repairsAsked ?? now
            outputs.append(.needRepair(since))
        } else {
            outputs.append(.needKeyframe(keyframeReason))
        }
        lastKeyframeRequest = now
        nextKeyframeRequest = now + requestPause
    }

    /// The timestamp of the last frame output, if a repair picture that follows it may still arrive.
    private func repairableSince(now: Instant) -> UInt32? {
        guard configuration.givesRepairs, let lastWhole else { return nil }
        let patience = max(configuration.repairPatience, (roundTrip ?? .zero) * 5)
        return repairsAsked.map { now - $0 < patience } ?? true ? lastWhole : nil
    }

    /// The time between two requests for a keyframe or a repair picture, which takes a round trip to arrive.
    var requestPause: Duration {
        let isRepair = configuration.givesRepairs && lastWhole != nil
        return isRepair
            ? configuration.repairSpacing + (roundTrip ?? .milliseconds(100)) * 5 / 4
            : configuration.keyframeSpacing + (roundTrip ?? .zero)
    }

    /// Adapts `reorderTolerance` to a reordered packet: to one and a quarter times its lateness, but at most half a
    /// round trip (limited to 8...40 ms), as a needless request costs less than a late one.
    mutating func learnReordering(_ lateness: Duration, now: Instant) {
        let most = max(.milliseconds(8), min(.milliseconds(40), (roundTrip ?? .zero) / 2))
        reorderTolerance = min(max(reorderTolerance, lateness * 5 / 4), most)
        lastReordered = now
    }
}
