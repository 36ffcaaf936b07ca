import HelioCore

// Parsing and dispatch of received packets (RFC 9260 sections 6.10 and 8.5).

extension SCTPAssociation {
    mutating func handle(_ bytes: [UInt8]) {
        let packet = bytes.span.bytes
        guard let header = SCTPHeader.parse(packet), let first = packet.uint8(at: SCTPHeader.size) else {
            return counted.count(.truncated)
        }
        guard header.sourcePort == configuration.remotePort, header.destinationPort == configuration.localPort else {
            return counted.count(.wrongPort)
        }
        let firstType = ChunkType(first)
        let opens = firstType == .initiation || firstType == .cookieEcho
        guard
            header.checksum == 0 && configuration.acceptsZeroChecksum && !opens
                || header.checksum == CRC32C.packetChecksum(packet)
        else { return counted.count(.badChecksum) }
        if state == .ended { return handleWhenEnded(firstType, header) }
        guard isOurs(header, firstType, packet) else { return counted.count(.wrongTag) }
        // RFC 9260 section 8.1 clears the error count only on acknowledgements, which would end live associations on a
        // path with 20 % loss in both directions. Clear it on any packet with our tag, which shows that the peer is
        // alive.
        if header.tag == localTag { errors = 0 }

        var reader = ChunkReader(SCTPHeader.size..<packet.byteCount)
        var hasData = false
        while state != .ended, let item = reader.next(in: packet) {
            if item.type == .data {
                hasData = true
                handleData(item, bytes)
            } else if !handle(item, packet, header) {
                break
            }
        }
        if reader.isBroken { counted.count(.badChunk) }
        if hasData, state != .ended { noteData() }
    }

    /// Returns true if the packet has a valid verification tag. The rule depends on the first chunk (section 8.5.1).
    private func isOurs(_ header: SCTPHeader, _ first: ChunkType, _ packet: RawSpan) -> Bool {
        switch first {
        case .initiation: return header.tag == 0
        // The cookie contains the valid tag, so `handleCookieEcho` compares it.
        case .cookieEcho: return header.tag != 0
        case .abort, .shutdownComplete:
            if packet.uint8(at: SCTPHeader.size + 1).map({ $0 & 1 != 0 }) == true { return header.tag == peer?.tag }
            return header.tag == localTag
        default: return header.tag == localTag
        }
    }

    /// Handles a packet after the end. If our SHUTDOWN-COMPLETE was lost, the peer repeats its SHUTDOWN-ACK, which is
    /// answered again.
    private mutating func handleWhenEnded(_ first: ChunkType, _ header: SCTPHeader) {
        counted.count(.ended)
        if first == .shutdownAck, header.tag == localTag { handleShutdownAck() }
    }

    /// Handles a chunk other than DATA.
    ///
    /// - Returns: false if the rest of the packet has to be skipped.
    private mutating func handle(_ item: ChunkReader.Item, _ packet: RawSpan, _ header: SCTPHeader) -> Bool {
        let isFirst = item.whole.lowerBound == SCTPHeader.size
        switch item.type {
        case .initiation:
            // An INIT has to be the only chunk of its packet (section 3.3.2), as its packet has no valid tag.
            guard isFirst, item.value.upperBound + 3 >= packet.byteCount else { return drop(.badChunk) }
            handleInitiation(item, packet)
            return false
        case .initiationAck:
            guard isFirst else { return drop(.badChunk) }
            handleInitiationAck(item, packet)
            return false
        case .cookieEcho:
            guard isFirst else { return drop(.badChunk) }
            handleCookieEcho(item, packet, tag: header.tag)
            // Data may follow a valid cookie.
            return isOpen && header.tag == localTag
        case .cookieAck: handleCookieAck()
        case .sack:
            guard let sack = SackChunk.parse(item, in: packet) else { return drop(.badChunk) }
            handle(sack, packet)
        case .heartbeat:
            let value = packet.bytes(at: item.value.lowerBound, count: item.value.count) ?? []
            guard value.count <= configuration.packetSize - SCTPHeader.size - 4 else { return drop(.badChunk) }
            answer { $0.appendChunk(.heartbeatAck) { $0 += value } }
        case .heartbeatAck: handleHeartbeatAck(item, packet)
        case .abort:
            end(.abortedByPeer(cause: packet.uint16(at: item.value.lowerBound) ?? 0))
            return false
        case .shutdown: handleShutdown(item, packet)
        case .shutdownAck: handleShutdownAck()
        case .shutdownComplete:
            handleShutdownComplete()
            return false
        case .error: handleError(item, packet)
        case .reconfiguration: handleReconfiguration(item, packet)
        case .forwardTSN: handleForward(item, packet)
        default:
            counted.count(.unknownChunk)
            if item.type.isReportedWhenUnknown { reportUnknown(item, packet) }
            return item.type.isSkippedWhenUnknown
        }
        return true
    }

    /// Counts a dropped chunk.
    ///
    /// - Returns: always true, as the packet's other chunks are still handled.
    private mutating func drop(_ reason: SCTPDrop) -> Bool {
        counted.count(reason)
        return true
    }

    /// Reports an unknown chunk in an ERROR chunk, with at most 64 of its bytes, to prevent amplification.
    private mutating func reportUnknown(_ item: ChunkReader.Item, _ packet: RawSpan) {
        let whole = item.whole
        let bytes = packet.bytes(at: whole.lowerBound, count: min(whole.count, 64)) ?? []
        answer { $0.appendChunk(.error) { $0.appendParameter(6) { $0 += bytes } } }
    }

    private mutating func handleData(_ item: ChunkReader.Item, _ bytes: [UInt8]) {
        guard let chunk = DataChunk.parse(item, in: bytes.span.bytes) else { return counted.count(.badChunk) }
        guard isOpen || state == .cookieEchoed, inbound != nil else { return counted.count(.unexpectedChunk) }
        if chunk.payload.isEmpty {
            // An empty DATA chunk has to be answered by an ABORT with the cause "no user data" (section 6.2).
            counted.count(.badChunk)
            return abort(cause: 9, .protocolViolation)
        }
        if chunk.flags.contains(.immediate) { acknowledging = .now }
        guard inbound?.hasStream(chunk.stream) == true else {
            counted.count(.unknownStream)
            inbound?.ignore(chunk)
            return answer {
                $0.appendChunk(.error) {
                    $0.appendParameter(1) {
                        $0.append(bigEndian: chunk.stream)
                        $0.append(bigEndian: UInt16(0))
                    }
                }
            }
        }
        switch inbound?.insert(chunk, of: bytes) {
        case .taken: deliverMessages()
        case .duplicate:
            counted.count(.duplicateData)
            acknowledging = .now
            if duplicates.count < 16 { duplicates.append(chunk.tsn) }
        case .dropped(let reason):
            counted.count(reason)
            acknowledging = .now
        case .messageTooLong: abort(cause: 13, .messageTooLong)
        case nil: break
        }
    }

    private mutating func handleForward(_ item: ChunkReader.Item, _ packet: RawSpan) {
        guard let chunk = ForwardTSNChunk.parse(item, in: packet) else { return counted.count(.badChunk) }
        guard isOpen || state == .cookieEchoed, inbound != nil else { return counted.count(.unexpectedChunk) }
        guard inbound?.skip(chunk) == true else { return counted.count(.badForward) }
        acknowledging = .now
        deliverMessages()
    }

    /// Delivers complete messages unless they are held back, and then performs a reset that waited for them.
    mutating func deliverMessages() {
        if !holdsMessages { releaseMessages() }
        performDeferredReset()
    }

    mutating func releaseMessages() {
        while let message = inbound?.popMessage() { outputs.append(.message(message)) }
    }

    private mutating func handleHeartbeatAck(_ item: ChunkReader.Item, _ packet: RawSpan) {
        let at = item.value.lowerBound
        guard item.value.count == 20, let number = packet.uint64(at: at + 4), number == heartbeat,
            let sent = packet.uint64(at: at + 12)
        else { return counted.count(.unexpectedChunk) }
        heartbeat = nil
        errors = 0
        timeout.measured(now - Instant(nanoseconds: Int64(bitPattern: sent)))
    }

    /// Queues a control chunk for the next packet. At most 16 chunks are queued; further chunks are dropped.
    mutating func answer(_ write: (inout [UInt8]) -> Void) {
        guard answers.count < 16 else { return counted.count(.tooManyAnswers) }
        var chunk: [UInt8] = []
        write(&chunk)
        answers.append(chunk)
    }
}
