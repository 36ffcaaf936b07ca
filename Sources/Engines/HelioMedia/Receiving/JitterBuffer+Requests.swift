internal import HelioCore

extension JitterBuffer {
    /// The time between two requests for the same packet, in which an answer should have come.
    var requestSpacing: Duration {
        let roundTrip = roundTrip ?? .milliseconds(50)
        return max(.milliseconds(3), roundTrip * 5 / 4 + statistics.jitterDuration * 2)
    }

    /// Asks for all missing packets that are due, in one list.
    mutating func requestMissing(now: Instant) {
        guard let due = nextRequest, due <= now else { return }
        nextRequest = nil
        guard let highest else { return }
        var list: [ExtendedSequence] = []
        let again = now + requestSpacing
        var sequence = base
        while sequence < highest {
            defer { sequence += 1 }
            guard let slot = ring.missing(sequence), slot.requests < configuration.mostRequests else { continue }
            var next = slot.nextRequest
            if next <= now {
                list.append(ExtendedSequence(sequence))
                next = again
                ring.noteRequest(sequence, now: now, next: next)
                if slot.requests + 1 == configuration.mostRequests { continue }
            }
            nextRequest = min(nextRequest ?? next, next)
        }
        if !list.isEmpty { outputs.append(.nack(list)) }
    }

    /// Asks for a keyframe, and repeats the request until one begins.
    mutating func requestKeyframe(now: Instant) {
        guard !isFlowing, let due = nextKeyframeRequest, due <= now else { return }
        outputs.append(.needKeyframe(keyframeReason))
        lastKeyframeRequest = now
        nextKeyframeRequest = now + keyframeSpacing
    }

    /// The time between two requests for a keyframe, which takes a round trip to come.
    var keyframeSpacing: Duration { configuration.keyframeSpacing + (roundTrip ?? .zero) }

    /// Learns how long reordering takes: the next gap is given as long as this one took to close, and a quarter.
    mutating func learnReordering(_ lateness: Duration, now: Instant) {
        reorderTolerance = min(max(reorderTolerance, lateness * 5 / 4), .milliseconds(8))
        lastReordered = now
    }
}
