import HelioCore

// Sent SACKs (RFC 9260 section 6.2) and received SACKs (sections 6.2.1, 6.3 and 7.2).

extension SCTPAssociation {
    /// Counts a packet with data. Every second packet is acknowledged at once; while a TSN is missing, every packet is
    /// acknowledged at once.
    mutating func noteData() {
        packetsToAcknowledge += 1
        guard acknowledging != .now else { return }
        if packetsToAcknowledge >= 2 || inbound?.map.hasGaps == true || state == .shutdownSent {
            acknowledging = .now
        } else if acknowledging == .nothing {
            acknowledging = .later
            acknowledgesAt = now + configuration.acknowledgementDelay
        }
    }

    mutating func appendSack(to packet: inout [UInt8]) {
        guard let inbound else { return }
        advertised = inbound.window
        let room = (configuration.packetSize - packet.count - SackChunk.headerSize) / 4
        packet.appendChunk(.sack) { packet in
            packet.append(bigEndian: inbound.map.cumulative.wire)
            packet.append(bigEndian: UInt32(clamping: inbound.window))
            let counts = packet.count
            packet.append(bigEndian: UInt32(0))
            let repeated = duplicates.prefix(max(0, room))
            let gaps = inbound.map.appendGaps(to: &packet, limit: max(0, room - repeated.count))
            for tsn in repeated { packet.append(bigEndian: tsn) }
            packet.set(bigEndian: UInt16(gaps), at: counts)
            packet.set(bigEndian: UInt16(repeated.count), at: counts + 2)
        }
        duplicates.removeAll(keepingCapacity: true)
        packetsToAcknowledge = 0
        acknowledging = .nothing
        acknowledgesAt = nil
    }

    mutating func handle(_ sack: SackChunk, _ packet: RawSpan) {
        guard isOpen else { return counted.count(.unexpectedChunk) }
        let cumulative = TransmissionSequence(sack.cumulative, near: outstanding.cumulative)
        guard cumulative >= outstanding.cumulative else { return counted.count(.oldAcknowledgement) }
        let lastGap = sack.gapCount == 0 ? 0 : sack.gap(sack.gapCount - 1, in: packet)?.upperBound ?? 0
        guard cumulative + lastGap <= outstanding.newest else { return counted.count(.falseAcknowledgement) }

        let flight = outstanding.flight
        let before = outstanding.cumulative
        var newest: TransmissionSequence?
        var bytes = acknowledge(upTo: cumulative, newest: &newest)
        let hasMoved = outstanding.cumulative > before
        if sack.gapCount > 0 || outstanding.acknowledgedByGap > 0 {
            bytes += handleGaps(sack, packet, newest: &newest)
        }
        if hasMoved { window.acknowledged(bytes, flight: flight, cumulative: cumulative) }
        if let newest { noteMissing(sack, packet, newest: newest, hasMoved: hasMoved) }

        peerWindow = max(0, Int(sack.window) - outstanding.flight)
        if sack.window == 0 { isPeerFull = true }
        burst = configuration.maximumBurst * configuration.packetSize + 2 * bytes
        if hasMoved || bytes > 0 { errors = 0 }
        if outstanding.isEmpty {
            retransmitsAt = nil
        } else if hasMoved {
            retransmitsAt = now + timeout.current
        }
        advanceForwardPoint()
        if forwardPoint > outstanding.cumulative, !isForwardDue, let lastForward,
            now - lastForward > (timeout.smoothed ?? timeout.current)
        {
            isForwardDue = true
        }
    }

    /// Handles the cumulative TSN of a SHUTDOWN.
    mutating func acknowledge(upTo wire: UInt32) {
        let cumulative = TransmissionSequence(wire, near: outstanding.cumulative)
        guard cumulative <= outstanding.newest else { return counted.count(.falseAcknowledgement) }
        var newest: TransmissionSequence?
        _ = acknowledge(upTo: cumulative, newest: &newest)
        if newest != nil { errors = 0 }
        if outstanding.isEmpty { retransmitsAt = nil }
        advanceForwardPoint()
    }

    /// Removes all chunks up to the cumulative TSN.
    ///
    /// - Returns: the number of newly acknowledged bytes.
    private mutating func acknowledge(
        upTo cumulative: TransmissionSequence, newest: inout TransmissionSequence?
    ) -> Int {
        var bytes = 0
        while outstanding.cumulative < cumulative, let (_, newBytes) = outstanding.acknowledgeFirst() {
            if newBytes > 0 {
                bytes += newBytes
                newest = outstanding.cumulative
            }
        }
        if let timed, timed.tsn <= cumulative { measure(timed.at) }
        return bytes
    }

    private mutating func measure(_ sent: Instant) {
        timeout.measured(now - sent)
        timed = nil
    }

    private mutating func handleGaps(
        _ sack: SackChunk, _ packet: RawSpan, newest: inout TransmissionSequence?
    ) -> Int {
        let base = outstanding.cumulative
        var bytes = 0
        var covered = 0
        for index in 0..<sack.gapCount {
            guard let gap = sack.gap(index, in: packet) else { break }
            for offset in gap {
                let tsn = base + offset
                let newBytes = outstanding.acknowledgeByGap(tsn)
                if newBytes > 0 {
                    bytes += newBytes
                    newest = max(newest ?? tsn, tsn)
                    if let timed, timed.tsn == tsn { measure(timed.at) }
                }
                if outstanding.state(of: tsn) == .acknowledged { covered += 1 }
            }
        }
        // Fewer TSNs are covered than before, so the peer has discarded data that it had acknowledged.
        if outstanding.acknowledgedByGap > covered {
            forEachHole(sack, packet, upTo: outstanding.newest) { outstanding, tsn in outstanding.takeBack(tsn) }
        }
        return bytes
    }

    /// Counts the missing reports of a SACK for fast retransmission (RFC 9260 section 7.2.4). A chunk counts as lost
    /// after three acknowledgements of chunks that were sent later.
    private mutating func noteMissing(
        _ sack: SackChunk, _ packet: RawSpan, newest: TransmissionSequence, hasMoved: Bool
    ) {
        guard sack.gapCount > 0, let last = sack.gap(sack.gapCount - 1, in: packet) else { return }
        // An advance of the cumulative TSN in fast recovery counts as a missing report for all missing chunks.
        let isRecovering = window.recoversAt != nil && hasMoved
        let limit = isRecovering ? outstanding.cumulative + last.upperBound : newest
        var hasLost = false
        forEachHole(sack, packet, upTo: limit) { outstanding, tsn in
            // For a retransmitted chunk, only acknowledgements of chunks sent after the retransmission count.
            guard outstanding.isInFlight(tsn, sentBefore: limit) else { return }
            if outstanding.miss(tsn) { hasLost = true }
        }
        if let timed, outstanding.contains(timed.tsn), outstanding.state(of: timed.tsn) == .lost { self.timed = nil }
        if hasLost, window.lost(newest: outstanding.newest) { isFastRetransmitting = true }
    }

    /// Calls `body` for every TSN up to `limit` that the SACK does not acknowledge.
    private mutating func forEachHole(
        _ sack: SackChunk, _ packet: RawSpan, upTo limit: TransmissionSequence,
        _ body: (inout Outstanding, TransmissionSequence) -> Void
    ) {
        let base = outstanding.cumulative
        let end = min(limit, outstanding.newest) - base
        var offset = 1
        for index in 0...sack.gapCount {
            let gap = sack.gap(index, in: packet)
            let stop = min(gap?.lowerBound ?? end + 1, end + 1)
            while offset < stop {
                body(&outstanding, base + offset)
                offset += 1
            }
            guard let gap else { break }
            offset = max(offset, gap.upperBound + 1)
        }
    }

    // MARK: - Partial reliability (RFC 3758)

    mutating func abandon(_ tsn: TransmissionSequence) {
        let piece = outstanding[tsn]
        if !outstanding.abandonMessage(of: tsn) {
            queue.dropRest(of: piece.message.stream)
            outstanding.appendAbandoned(piece)
        }
        counted.count(.abandonedMessage)
        advanceForwardPoint()
    }

    mutating func advanceForwardPoint() {
        var point = max(forwardPoint, outstanding.cumulative)
        while outstanding.contains(point + 1), outstanding.state(of: point + 1) == .abandoned { point += 1 }
        if point > forwardPoint, point > outstanding.cumulative { isForwardDue = true }
        forwardPoint = point
        if forwardPoint == outstanding.cumulative { isForwardDue = false }
    }

    mutating func appendForward(to packet: inout [UInt8]) {
        let room = (configuration.packetSize - packet.count - 8) / 4
        var skips: [UInt16: UInt16] = [:]
        var point = outstanding.cumulative
        while point < forwardPoint {
            let message = outstanding[point + 1].message
            if !message.isUnordered {
                if skips[message.stream] == nil, skips.count >= room { break }
                skips[message.stream] = message.sequence
            }
            point += 1
        }
        let chunk = ForwardTSNChunk(
            cumulative: point.wire,
            skips: skips.sorted { $0.key < $1.key }.map { .init(stream: $0.key, sequence: $0.value) })
        chunk.write(into: &packet)
        isForwardDue = false
        lastForward = now
        if retransmitsAt == nil { retransmitsAt = now + timeout.current }
    }
}
