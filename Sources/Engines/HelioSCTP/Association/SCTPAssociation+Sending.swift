import DequeModule
import HelioCore

// Outgoing packets (RFC 9260 sections 6.1, 6.9 and 6.10).

extension SCTPAssociation {
    func newPacket(tag: UInt32) -> [UInt8] {
        var packet: [UInt8] = []
        packet.reserveCapacity(configuration.packetSize)
        packet.append(bigEndian: configuration.localPort)
        packet.append(bigEndian: configuration.remotePort)
        packet.append(bigEndian: tag)
        packet.append(bigEndian: UInt32(0))
        return packet
    }

    /// Queues a packet of the handshake, the shutdown, ABORT or ERROR with a checksum. At most 16 packets are queued;
    /// further packets are dropped.
    mutating func queuePacket(_ packet: [UInt8]) {
        guard packets.count < 16 else { return counted.count(.tooManyAnswers) }
        var packet = packet
        packet.setPacketChecksum()
        packets.append(packet)
    }

    /// Returns the next packet of an open association, with chunks in this order: SACK, control chunks,
    /// retransmissions, new data; `nil` if there is nothing to send.
    mutating func pollPacket() -> [UInt8]? {
        guard isOpen, let peer else { return nil }
        prepareReset()
        // Send a window update at once if the advertised window was nearly closed.
        if advertised < 2 * configuration.packetSize, let inbound, inbound.window >= 4 * configuration.packetSize {
            acknowledging = .now
        }
        let mayHaveData = hasSendableData
        guard acknowledging == .now || !answers.isEmpty || isForwardDue || mayHaveData || isResetDue else { return nil }

        var packet = newPacket(tag: peer.tag)
        if acknowledging != .nothing { appendSack(to: &packet) }
        while let chunk = answers.first, packet.count + chunk.count <= configuration.packetSize {
            packet += chunk
            _ = answers.popFirst()
        }
        if isForwardDue, packet.count + 64 <= configuration.packetSize { appendForward(to: &packet) }
        if isResetDue { appendReset(to: &packet) }
        if mayHaveData {
            appendLost(to: &packet)
            appendNew(to: &packet)
            isFastRetransmitting = false
        }
        guard packet.count > SCTPHeader.size else { return nil }
        if !peer.acceptsZeroChecksum || !configuration.acceptsZeroChecksum { packet.setPacketChecksum() }
        return packet
    }

    /// The maximum payload of a DATA chunk in an otherwise empty packet, in bytes.
    private var fullPayload: Int { (configuration.packetSize - SCTPHeader.size - DataChunk.headerSize) & ~3 }

    private var hasSendableData: Bool {
        guard outstanding.hasLost || !queue.isEmpty else { return false }
        if outstanding.hasLost { return isFastRetransmitting || hasRoomInWindow }
        return hasRoomInWindow && mayBegin
    }

    private var hasRoomInWindow: Bool { outstanding.flight < window.size && burst > 0 }

    /// True if new data may be sent: the peer's window has space for a full packet, or a closed window has to be
    /// probed.
    private var mayBegin: Bool {
        !outstanding.isFull && outstanding.bytes < configuration.outstandingLimit
            && (peerWindow >= fullPayload || outstanding.flight == 0 && !outstanding.hasLost)
    }

    private mutating func appendLost(to packet: inout [UInt8]) {
        while let tsn = outstanding.firstLost() {
            let piece = outstanding[tsn]
            if isGivenUp(piece) {
                abandon(tsn)
                continue
            }
            guard hasRoomInWindow || isFastRetransmitting,
                packet.count + DataChunk.headerSize + piece.size <= configuration.packetSize
            else { return }
            if tsn == outstanding.cumulative + 1 { retransmitsAt = now + timeout.current }
            // The round trip of a retransmitted chunk must not be measured (Karn's algorithm).
            if let timed, timed.tsn == tsn { self.timed = nil }
            outstanding.sentAgain(tsn)
            append(piece, tsn, to: &packet)
        }
    }

    private func isGivenUp(_ piece: OutgoingPiece) -> Bool {
        guard peer?.supportsForwardTSN == true else { return false }
        if let limit = piece.message.retransmissions, piece.sends > limit { return true }
        return piece.message.expires.map { now > $0 } ?? false
    }

    private mutating func appendNew(to packet: inout [UInt8]) {
        if outstanding.isEmpty, let lastDataSent, now - lastDataSent > timeout.current, !queue.isEmpty {
            window.rested()
        }
        while hasRoomInWindow, mayBegin, !outstanding.hasLost {
            let room = configuration.packetSize - packet.count - DataChunk.headerSize
            guard room > 0, let cut = queue.cut(room: room, full: fullPayload, now: now) else { return }
            let tsn = outstanding.newest + 1
            let piece = OutgoingPiece(message: cut.message, range: cut.range, flags: cut.flags, newestWhenSent: tsn)
            outstanding.append(piece)
            queue.noteSent(tsn, of: cut.message.stream)
            peerWindow = max(0, peerWindow - piece.size)
            if timed == nil { timed = (tsn, now, isHurried: false) }
            // If no chunk follows, the peer delays its acknowledgement, which would falsify the measured round trip. So
            // request an immediate acknowledgement (RFC 7053).
            let isLast = queue.isEmpty && timed?.isHurried == false
            if isLast { timed?.isHurried = true }
            append(piece, tsn, isUrgent: isLast, to: &packet)
        }
    }

    /// Appends a DATA chunk.
    ///
    /// - Parameter isUrgent: true to request an immediate acknowledgement.
    private mutating func append(
        _ piece: OutgoingPiece, _ tsn: TransmissionSequence, isUrgent: Bool = false, to packet: inout [UInt8]
    ) {
        var flags = piece.flags
        // A delayed acknowledgement would stall the transfer if the window holds fewer than two packets (RFC 7053).
        if isUrgent || window.size < 2 * configuration.packetSize { flags.insert(.immediate) }
        packet.append(bigEndian: UInt16(flags.rawValue))
        packet.append(bigEndian: UInt16(DataChunk.headerSize + piece.size))
        packet.append(bigEndian: tsn.wire)
        packet.append(bigEndian: piece.message.stream)
        packet.append(bigEndian: piece.message.sequence)
        packet.append(bigEndian: piece.message.protocolID)
        packet.append(contentsOf: piece.message.payload[piece.range])
        packet.padToWord()
        burst -= piece.size
        lastDataSent = now
        if retransmitsAt == nil { retransmitsAt = now + timeout.current }
        scheduleHeartbeat()
    }
}
