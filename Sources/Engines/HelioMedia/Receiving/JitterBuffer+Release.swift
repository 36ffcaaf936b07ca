internal import HelioCore

extension JitterBuffer {
    /// Consumes packets in order, and outputs each frame that they complete.
    mutating func release(now: Instant) {
        while isFlowing, let packet = ring.held(base) {
            if assembly.packets > 0, assembly.timestamp != packet.timestamp {
                // The previous packet was the last one received of its frame, though it has no marker. A source of
                // repair pictures marks every frame's last packet, so from such a source the frame is incomplete.
                if configuration.givesRepairs, !assembly.annexB.isEmpty {
                    passOver(packet, now: now)
                } else {
                    finish(now: now)
                }
                continue
            }
            ring.markConsumed(base)
            base += 1
            guard assembly.append(packet) else {
                drops.count(.malformed)
                assembly.packets -= 1
                abandon(.malformed, now: now)
                continue
            }
            if packet.marker {
                finish(now: now)
            } else if configuration.handsOutParts, let part = assembly.takePart() {
                outputs.append(.part(part))
            }
        }
    }

    private mutating func finish(now: Instant) {
        guard assembly.isWhole, assembly.isKeyframe || !assembly.mustBeKeyframe else {
            return abandon(.malformed, now: now)
        }
        let timestamp = assembly.timestamp
        if let frame = assembly.take(index: frames) {
            frames += 1
            lastWhole = timestamp
            repairsAsked = nil
            outputs.append(.frame(frame))
        }
    }

    /// Drops a frame of which the source has sent only a part; `next` is the packet after that part.
    private mutating func passOver(_ next: MediaPacket, now: Instant) {
        guard let opening = opening(of: next) else { return abandon(.packetsLost, now: now) }
        drops.count(.abandoned, assembly.packets)
        begin(at: base, with: opening, as: .superseded, now: now)
    }

    /// Starts output with the picture whose first packet is `start`, and drops the packets before it.
    mutating func begin(at start: UInt64, with opening: Opening, as reason: Drop, now: Instant) {
        if opening == .repair {
            repairs += 1
            countOvertaken(before: start)
        }
        dropHeld(upTo: start, as: reason)
        base = start
        isFlowing = true
        flowingSince = now
        ahead = nil
        nextKeyframeRequest = nil
        assembly.reset(mustBeKeyframe: opening == .keyframe)
    }

    /// Drops the present frame, and resumes with the newest keyframe or repair picture if the buffer already holds its
    /// first packet.
    mutating func abandon(_ reason: KeyframeReason, now: Instant) {
        stopFlowing(reason, now: now)
        guard var sequence = highest else { return }
        while sequence >= base {
            if let packet = ring.held(sequence), let opening = opening(of: packet) {
                begin(at: sequence, with: opening, as: .awaitingKeyframe, now: now)
                return release(now: now)
            }
            if sequence == 0 { return }
            sequence -= 1
        }
    }

    /// Stops output until a keyframe or repair picture begins.
    mutating func stopFlowing(_ reason: KeyframeReason, now: Instant) {
        guard isFlowing else { return }
        abandonments += 1
        drops.count(.abandoned, assembly.packets)
        assembly.reset(mustBeKeyframe: true)
        isFlowing = false
        ahead = nil
        keyframeReason = reason
        nextKeyframeRequest = lastKeyframeRequest.map { max(now, $0 + requestPause) } ?? now
    }

    /// The time at which the missing packet that blocks output counts as lost; `nil` if none blocks it.
    var holeDeadline: Instant? {
        guard isFlowing, let hole = ring.missing(base) else { return nil }
        return max(hole.since, flowingSince) + holeWait
    }

    private var holeWait: Duration {
        let jitter = statistics.jitterDuration * 4
        let wait =
            configuration.hasRetransmission
            ? reorderTolerance + requestSpacing * configuration.waitedRequests + jitter
            : max(.milliseconds(5), reorderTolerance * 2) + jitter
        return min(wait, longestWait)
    }
}
