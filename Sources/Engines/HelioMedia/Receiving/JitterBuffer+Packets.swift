internal import HelioCore

extension JitterBuffer {
    mutating func handle(_ packet: MediaPacket, now: Instant) {
        let sequence = packet.sequence.rawValue
        guard let path = classify(sequence, isRestored: packet.isRestored, now: now) else { return }
        statistics.note(packet, path: path)
        makeRoom(for: sequence, now: now)
        if sequence < base {
            ring.markConsumed(sequence)
            return drops.count(.late)
        }
        noteGaps(around: sequence, now: now)
        let opening = opening(of: packet)
        ring.hold(packet)
        if let opening { note(opening, at: sequence, now: now) }
        if isFlowing { release(now: now) }
        skipAhead(now: now)
        if !isFlowing { forgetOld(now: now) }
        if ring.heldBytes + assembly.annexB.count > configuration.mostBytes { overflow(now: now) }
    }

    /// Returns whether this packet has been received, so that another copy of it is ignored.
    func hasCome(_ sequence: ExtendedSequence) -> Bool {
        guard let highest, sequence.rawValue <= highest, sequence.rawValue + ring.capacity > highest else {
            return false
        }
        switch ring.state(sequence.rawValue) {
        case .held, .consumed: return true
        case .missing, .unknown: return false
        }
    }

    /// Classifies a packet as direct, overtaken, recovered or restored; `nil`, and counted as a drop, if it is a
    /// duplicate or too old.
    private mutating func classify(
        _ sequence: UInt64, isRestored: Bool, now: Instant
    ) -> ReceptionStatistics.Path? {
        guard let highest, sequence <= highest else { return isRestored ? .restored : .direct }
        if sequence + ring.capacity <= highest {
            drops.count(.tooOld)
            return nil
        }
        switch ring.state(sequence) {
        case .held, .consumed:
            drops.count(.duplicate)
            return nil
        case .unknown:
            return isRestored ? .restored : .overtaken
        case .missing:
            // A restored packet was not received, so it has no arrival time that shows reordering.
            if isRestored { return .restored }
            guard let slot = ring.missing(sequence) else { return .overtaken }
            // A retransmission takes a round trip: a packet that arrives sooner was only reordered.
            let elapsed = now - slot.firstRequest
            let wasAnswered = slot.requests > 0 && elapsed > .zero && elapsed >= (roundTrip ?? .zero) * 3 / 4
            if wasAnswered { return .recovered }
            learnReordering(now - slot.since, now: now)
            return .overtaken
        }
    }

    /// Moves the window if `sequence` would exceed the ring, and skips a gap that is too large to repair.
    private mutating func makeRoom(for sequence: UInt64, now: Instant) {
        guard let highest else {
            // Packets sent before the first received packet may still arrive, such as a keyframe's first packet.
            base = sequence > 64 ? sequence - 64 : 0
            nextKeyframeRequest = now + configuration.startPatience
            return
        }
        guard sequence > highest else { return }
        if sequence - highest > UInt64(configuration.largestGap) {
            stopFlowing(.packetsLost, now: now)
            dropHeld(upTo: highest + 1, as: .awaitingKeyframe)
            base = sequence
            lowest = sequence
        } else if sequence - base >= ring.capacity {
            if isFlowing { abandon(.overflow, now: now) }
            // `abandon` may have resumed output further ahead; output stops again unless that freed enough of the ring.
            if sequence - base >= ring.capacity {
                stopFlowing(.overflow, now: now)
                dropHeld(upTo: sequence - ring.capacity + 1, as: .overflow)
            }
        }
    }

    /// Marks the packets between this packet and those received before as missing.
    private mutating func noteGaps(around sequence: UInt64, now: Instant) {
        defer {
            lowest = min(lowest, sequence)
            highest = max(highest ?? sequence, sequence)
        }
        guard let highest else { return }
        let gap: Range<UInt64>
        if sequence > highest {
            gap = max(highest + 1, base)..<max(sequence, base)
        } else if sequence < lowest {
            gap = sequence + 1..<lowest
        } else {
            return
        }
        guard !gap.isEmpty else { return }
        if reorderTolerance > .zero, now - lastReordered > .seconds(10) { reorderTolerance = .zero }
        markMissing(gap, now: now)
    }

    private mutating func markMissing(_ gap: Range<UInt64>, now: Instant) {
        for missing in gap {
            let isAwaited = awaitedParity.map { missing >= $0.first } ?? false
            let request = now + max(reorderTolerance, isAwaited ? awaitedParity?.patience ?? .zero : .zero)
            ring.markMissing(missing, since: now, nextRequest: request)
            if configuration.hasRetransmission { nextRequest = min(nextRequest ?? request, request) }
        }
    }

    /// Marks as missing all packets after the newest one received, up to `last`, the last packet known to be sent.
    mutating func noteSent(through last: UInt64, now: Instant) {
        guard let highest, last > highest, last - highest <= UInt64(configuration.largestGap),
            last - base < ring.capacity
        else { return }
        self.highest = last
        markMissing(max(highest + 1, base)..<max(last + 1, base), now: now)
    }

    private mutating func note(_ opening: Opening, at sequence: UInt64, now: Instant) {
        if !isFlowing {
            begin(at: sequence, with: opening, as: .awaitingKeyframe, now: now)
        } else if sequence > base, ahead == nil {
            ahead = (sequence, sequence, opening)
        }
    }

    /// Skips to a keyframe or repair picture that is completely received, as the packets before it are then no longer
    /// needed.
    private mutating func skipAhead(now: Instant) {
        guard isFlowing, var ahead else { return }
        if ahead.start <= base {
            self.ahead = nil
            return
        }
        guard let timestamp = ring.held(ahead.start)?.timestamp else { return }
        while let packet = ring.held(ahead.scanned), packet.timestamp == timestamp {
            if packet.marker {
                drops.count(.superseded, assembly.packets)
                begin(at: ahead.start, with: ahead.kind, as: .superseded, now: now)
                return release(now: now)
            }
            ahead.scanned += 1
        }
        self.ahead = ahead
    }

    /// Drops packets older than `longestWait` while a keyframe is awaited.
    private mutating func forgetOld(now: Instant) {
        guard let highest else { return }
        let oldest = now - longestWait
        // Packets sent before the first received packet may still arrive until that packet is old.
        var sequence = max(base, lowest)
        while sequence <= highest {
            switch ring.state(sequence) {
            case .held:
                guard let packet = ring.held(sequence), packet.arrival < oldest else { return }
                drops.count(.awaitingKeyframe)
                ring.markConsumed(sequence)
            case .missing:
                guard let slot = ring.missing(sequence), slot.since < oldest else { return }
            case .unknown, .consumed:
                break
            }
            sequence += 1
            base = sequence
        }
    }

    private mutating func overflow(now: Instant) {
        if isFlowing { abandon(.overflow, now: now) }
        guard ring.heldBytes > configuration.mostBytes / 2, let highest else { return }
        stopFlowing(.overflow, now: now)
        dropHeld(upTo: highest + 1, as: .overflow)
    }

    /// Drops all held packets before `end`, which becomes `base`.
    mutating func dropHeld(upTo end: UInt64, as reason: Drop) {
        let last = min(end, (highest ?? 0) + 1)
        while base < last {
            if ring.state(base) == .held {
                ring.markConsumed(base)
                drops.count(reason)
            }
            base += 1
        }
        base = max(base, end)
    }
}
