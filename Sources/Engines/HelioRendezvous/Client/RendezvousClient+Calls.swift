internal import HelioCore
internal import HelioRendezvousWire

extension RendezvousClient {
    // MARK: This device's wishes

    mutating func ring(_ device: RendezvousID, _ token: RingToken, now: Instant) {
        let number = nextNumber()
        report(.dialled(number, device))
        guard calls.count < settings.mostCalls else {
            drops.count(.tooManyCalls)
            return report(.hungUp(number, .tooMany))
        }
        let until = now + settings.ringTime
        if isOnline {
            ringNow(number, device, token, [], until: until)
        } else {
            calls[number] = Call(state: .waiting(device, token, held: []), until: until)
        }
    }

    private mutating func nextNumber() -> CallNumber {
        repeat {
            lastNumber = lastNumber == CallNumber.serversBit - 1 ? 1 : lastNumber + 1
        } while calls[CallNumber(lastNumber)] != nil
        return CallNumber(lastNumber)
    }

    mutating func ringNow(
        _ number: CallNumber, _ device: RendezvousID, _ token: RingToken, _ held: [[UInt8]], until: Instant?
    ) {
        calls[number] = Call(state: .ringing, until: until)
        send(.ring(number, device, token))
        for message in held { send(.message(number, message)) }
    }

    mutating func send(_ message: [UInt8], to number: CallNumber) {
        guard var call = calls[number] else { return drops.count(.unknownCall) }
        guard message.count <= RendezvousLimits.message else {
            // The call can't go on, as the other end would miss the message.
            drops.count(.tooLong)
            return abandon(number, .protocolError)
        }
        guard case .waiting(let device, let token, var held) = call.state else {
            return send(.message(number, message))
        }
        guard held.count < settings.mostHeld else {
            drops.count(.heldTooMany)
            return abandon(number, .tooFast)
        }
        held.append(message)
        call.state = .waiting(device, token, held: held)
        calls[number] = call
    }

    mutating func sendData(_ bytes: [UInt8], to number: CallNumber) {
        guard let call = calls[number] else { return drops.count(.unknownCall) }
        guard bytes.count <= RendezvousLimits.data else { return drops.count(.tooLong) }
        if case .waiting = call.state { return drops.count(.notOnline) }
        send(.data(number, bytes))
    }

    mutating func hangUp(_ number: CallNumber, _ reason: HangUpReason) {
        guard let call = calls.removeValue(forKey: number) else { return drops.count(.unknownCall) }
        if case .waiting = call.state { return }
        send(.hangUp(number, reason))
    }

    /// Ends a call at both ends.
    private mutating func abandon(_ number: CallNumber, _ reason: HangUpReason) {
        hangUp(number, reason)
        report(.hungUp(number, reason))
    }

    /// Ends a call at this end.
    mutating func end(_ number: CallNumber, _ reason: HangUpReason) {
        guard calls.removeValue(forKey: number) != nil else { return drops.count(.unknownCall) }
        report(.hungUp(number, reason))
    }

    // MARK: The server's frames

    mutating func received(_ bytes: [UInt8], now: Instant) {
        switch phase {
        case .waiting, .connecting: return drops.count(.notOnline)
        case .greeting, .registering, .online: break
        }
        guard let frame = try? ServerFrame.parse(bytes.span.bytes) else {
            drops.count(.unparsable)
            return lose(now: now)
        }
        switch frame {
        case .challenge(let version, let nonce): challenged(version: version, nonce: nonce, now: now)
        case .registered: registered(now: now)
        case .presence(let device, let state, let seconds): presence(device, state, seconds)
        case .draining: move(now: now)
        case .refused(let reason):
            report(.refused(reason))
            let isLasting = [.blocked, .wrongSignature, .replaced, .protocolError].contains(reason)
            lose(isRefused: isLasting, now: now)
        case .rung, .ringing, .turn, .message, .data, .hungUp:
            guard isOnline else { return drops.count(.unexpectedFrame) }
            receivedOfCall(frame)
        }
    }

    private mutating func presence(_ device: RendezvousID, _ state: PresenceState, _ seconds: UInt32) {
        guard watches[device] != nil else { return drops.count(.notWatched) }
        report(.presence(device, state, .seconds(Int(seconds))))
    }

    private mutating func receivedOfCall(_ frame: ServerFrame) {
        switch frame {
        case .rung(let number, let tag, let address): rung(number, tag, address)
        case .ringing(let number):
            guard let call = calls[number], case .ringing = call.state else { return drops.count(.unknownCall) }
            calls[number] = Call(state: .open, until: nil)
            report(.ringing(number))
        case .turn(let number, let entries, let seconds):
            // The call of a host is not known yet.
            guard calls[number] != nil || number.isServers && settings.registers else {
                return drops.count(.unknownCall)
            }
            report(.turn(number, entries, seconds: seconds))
        case .message(let number, let bytes):
            guard isOpen(number) else { return drops.count(.unknownCall) }
            report(.message(number, bytes))
        case .data(let number, let bytes):
            guard isOpen(number) else { return drops.count(.unknownCall) }
            report(.data(number, bytes))
        case .hungUp(let number, let reason): end(number, reason)
        case .challenge, .registered, .presence, .draining, .refused: drops.count(.unexpectedFrame)
        }
    }

    private func isOpen(_ number: CallNumber) -> Bool {
        if case .open = calls[number]?.state { true } else { false }
    }

    private mutating func rung(_ number: CallNumber, _ tag: RingTag, _ address: String) {
        guard settings.registers, number.isServers, calls[number] == nil else {
            return drops.count(.unexpectedFrame)
        }
        guard calls.count < settings.mostCalls else {
            drops.count(.tooManyCalls)
            return send(.hangUp(number, .tooMany))
        }
        calls[number] = Call(state: .open, until: nil)
        report(.rung(number, tag, address: address))
    }
}
