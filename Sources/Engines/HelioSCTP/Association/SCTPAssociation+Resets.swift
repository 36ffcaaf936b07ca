import HelioCore

// Stream resets (RFC 6525), by which data channels close (RFC 8831 section 6.7).

extension SCTPAssociation {
    var isResetDue: Bool { resets.outstanding?.isDue ?? false }

    /// Makes a reset request for the streams whose data has been acknowledged completely.
    ///
    /// RFC 6525 lets the peer defer a request if it lacks TSNs up to the last assigned TSN in the request. That can't
    /// happen here, as the request contains the cumulative acknowledged TSN, which covers all data of the streams.
    mutating func prepareReset() {
        guard resets.outstanding == nil, !resets.waiting.isEmpty, let peer else { return }
        let ready = resets.waiting.filter { isArrived($0) }.prefix(StreamResets.limit)
        guard !ready.isEmpty else { return }
        resets.waiting.removeAll { ready.contains($0) }
        guard peer.supportsReconfiguration else {
            return outputs.append(.outgoingReset(Array(ready), isPerformed: false))
        }
        resets.outstanding = StreamResets.Request(
            number: resets.nextNumber, lastTSN: outstanding.cumulative.wire, streams: Array(ready))
        resets.nextNumber &+= 1
    }

    private func isArrived(_ stream: UInt16) -> Bool {
        guard queue.isDrained(stream) else { return false }
        return queue.streams[stream]?.lastTSN.map { $0 <= outstanding.cumulative } ?? true
    }

    mutating func appendReset(to packet: inout [UInt8]) {
        guard let request = resets.outstanding else { return }
        let chunk = ReconfigurationParameter.outgoingReset(
            request: request.number, response: resets.expected &- 1, lastTSN: request.lastTSN,
            streams: request.streams
        ).chunk()
        guard packet.count + chunk.count <= configuration.packetSize else { return }
        packet += chunk
        resets.outstanding?.isDue = false
        resetAt = now + timeout.current
    }

    mutating func resetTimedOut() {
        resetAt = nil
        guard resets.outstanding != nil else { return }
        errors += 1
        guard errors <= configuration.maximumRetransmissions else { return end(.unreachable) }
        timeout.expired()
        resets.outstanding?.isDue = true
    }

    mutating func handleReconfiguration(_ item: ChunkReader.Item, _ packet: RawSpan) {
        guard isOpen else { return counted.count(.unexpectedChunk) }
        var reader = ChunkReader(item.value)
        while let item = reader.next(in: packet) {
            guard let parameter = ReconfigurationParameter.parse(item, in: packet) else {
                counted.count(.badReconfiguration)
                continue
            }
            switch parameter {
            case .outgoingReset(let request, _, let lastTSN, let streams):
                handleRequest(request, lastTSN: lastTSN, streams: streams)
            case .incomingReset(let request, _), .other(let request): deny(request)
            case .response(let number, let result): handleResponse(number, result)
            }
        }
        if reader.isBroken { counted.count(.badReconfiguration) }
    }

    private mutating func handleRequest(_ number: UInt32, lastTSN: UInt32, streams: [UInt16]) {
        guard let inbound else { return }
        // If a deferred request is repeated, check again whether its data has arrived.
        if number == resets.deferred?.number, number == resets.expected &- 1 {
            performDeferredReset()
            return respond(to: number, resets.answered ?? .inProgress)
        }
        guard isNew(number) else { return }
        resets.expected = number &+ 1
        if hasTaken(lastTSN, inbound) {
            resets.deferred = nil
            perform(streams)
        } else {
            resets.deferred = (number, lastTSN, streams)
            resets.answered = .inProgress
        }
        respond(to: number, resets.answered ?? .inProgress)
    }

    private mutating func perform(_ streams: [UInt16]) {
        inbound?.reset(streams)
        resets.answered = .performed
        outputs.append(.incomingReset(streams))
    }

    /// Returns true if all data up to this TSN has arrived, and no complete message is undelivered.
    private func hasTaken(_ lastTSN: UInt32, _ inbound: ReceiveBuffer) -> Bool {
        let cumulative = inbound.map.cumulative
        return TransmissionSequence(lastTSN, near: cumulative) <= cumulative && inbound.messages.isEmpty
    }

    /// Performs the deferred reset if its data has arrived and was delivered.
    mutating func performDeferredReset() {
        guard let deferred = resets.deferred, let inbound, hasTaken(deferred.lastTSN, inbound) else { return }
        resets.deferred = nil
        perform(deferred.streams)
        respond(to: deferred.number, .performed)
    }

    private mutating func deny(_ number: UInt32) {
        guard isNew(number) else { return }
        resets.expected = number &+ 1
        resets.answered = .denied
        respond(to: number, .denied)
    }

    /// Returns true if a request has the expected number. A repetition of the previous request gets the same answer
    /// again; a request with any other number is rejected.
    private mutating func isNew(_ number: UInt32) -> Bool {
        if number == resets.expected { return true }
        if number == resets.expected &- 1, let answered = resets.answered {
            respond(to: number, answered)
        } else {
            counted.count(.badReconfiguration)
            respond(to: number, .wrongSequence)
        }
        return false
    }

    private mutating func respond(to number: UInt32, _ result: ReconfigurationParameter.Result) {
        let chunk = ReconfigurationParameter.response(to: number, result).chunk()
        answer { $0 += chunk }
    }

    private mutating func handleResponse(_ number: UInt32, _ result: ReconfigurationParameter.Result) {
        guard let request = resets.outstanding, request.number == number else {
            return counted.count(.unexpectedChunk)
        }
        errors = 0
        if result == .inProgress {
            // The peer has deferred the request, which is repeated when the timer expires.
            return
        }
        let isPerformed = result == .performed || result == .nothingToDo
        resets.outstanding = nil
        resetAt = nil
        let streams = request.streams.filter { !request.confirmed.contains($0) }
        guard !streams.isEmpty else { return }
        if isPerformed { for stream in streams { queue.reset(stream) } }
        outputs.append(.outgoingReset(streams, isPerformed: isPerformed))
    }

    /// Treats a reset as performed if its response was lost: the peer reuses the stream number, which it may only do
    /// after the reset.
    ///
    /// - Returns: true if a reset of the stream was pending.
    mutating func confirmReset(_ stream: UInt16) -> Bool {
        guard let request = resets.outstanding, !request.isDue || resetAt != nil, request.streams.contains(stream),
            !request.confirmed.contains(stream)
        else { return false }
        resets.outstanding?.confirmed.insert(stream)
        queue.reset(stream)
        return true
    }
}
