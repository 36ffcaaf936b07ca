internal import HelioCore
internal import HelioRendezvousWire
internal import HelioTURN

extension RendezvousServer {
    // MARK: From a ring to the host

    mutating func ring(
        _ id: ConnectionID, _ number: CallNumber, _ device: RendezvousID, _ token: RingToken, now: Instant
    ) {
        guard let connection = connections[id], !number.isServers, connection.calls[number] == nil else {
            return violates(id, now: now)
        }
        guard origins[connection.address.origin]?.rings.take(now: now) ?? false else {
            drop(.addressRings)
            return send(.hungUp(number, .tooFast), to: id)
        }
        guard connection.calls.count - connection.hostCalls < settings.callsOfConnection else {
            drop(.connectionCalls)
            return send(.hungUp(number, .tooMany), to: id)
        }
        guard let tag = try? CallKeys.tag(of: token, crypto) else {
            return send(.hungUp(number, .notPermitted), to: id)
        }
        let key = begin(device, tag, from: .here(id, number), address: connection.address.description, now: now)
        connections[id]?.calls[number] = key
        switch askStore(for: device, call: key) {
        case .asked: break
        case .needless: seekHost(of: key, now: now)
        case .busy: end(key, .unreachable, now: now)
        }
    }

    /// Makes a call whose host has to be reached yet.
    mutating func begin(
        _ device: RendezvousID, _ tag: RingTag, from ringer: Side, address: String, now: Instant
    ) -> UInt64 {
        lastCall += 1
        calls[lastCall] = Call(
            device: device, tag: tag, ringer: ringer, address: address, until: now + settings.reachTime,
            messages: settings.messagesOfCall.bucket, messageBytes: settings.messageBytesOfCall.bytes(now: now),
            data: settings.dataOfCall.bytes(now: now))
        return lastCall
    }

    /// Takes a call to its host, if it is permitted and the host is online.
    mutating func seekHost(of key: UInt64, now: Instant) {
        guard let call = calls[key], call.host == nil, call.asked == nil else { return }
        guard let device = devices[call.device], device.permits(call.tag, now: now) else {
            return refuseGuess(key, call, now: now)
        }
        switch device.place {
        case .offline: end(key, .unreachable, now: now)
        case .here(let host): reach(key, at: host, now: now)
        case .there(let instance):
            calls[key]?.asked = instance
            publish(.ring(call: key, call.device, call.tag, address: call.address), to: instance)
        }
    }

    /// Ends a call without a permit, in the same way whether or not there is such a device. For a viewer "not
    /// permitted" is final: a server that may have forgotten the device says "unreachable".
    private mutating func refuseGuess(_ key: UInt64, _ call: Call, now: Instant) {
        let isInDoubt = doubtsUntil.map { now < $0 } ?? false
        if isInDoubt, devices[call.device] == nil {
            drop(.notKnownYet)
            return end(key, .unreachable, now: now)
        }
        drop(.notPermitted)
        guard case .here(let id, _) = call.ringer, let origin = connections[id]?.address.origin,
            !(origins[origin]?.guesses.take(now: now) ?? false)
        else { return end(key, isInDoubt ? .unreachable : .notPermitted, now: now) }
        drop(.addressGuesses)
        refuse(id, .tooFast, now: now)
    }

    /// Hands a call to a host of this instance.
    mutating func reach(_ key: UInt64, at host: ConnectionID, now: Instant) {
        guard let call = calls[key], let connection = connections[host] else { return }
        guard devices[call.device]?.rings.take(now: now) ?? false else {
            drop(.deviceRings)
            return end(key, .tooFast, now: now)
        }
        guard connection.hostCalls < settings.callsOfDevice else {
            drop(.deviceCalls)
            return end(key, .tooMany, now: now)
        }
        let number = nextNumber(of: host)
        calls[key]?.host = .here(host, number)
        connections[host]?.calls[number] = key
        sendTURN(of: call.device, to: host, number, now: now)
        send(.rung(number, call.tag, address: call.address), to: host)
        reached(key, now: now)
    }

    private mutating func nextNumber(of host: ConnectionID) -> CallNumber {
        guard var connection = connections[host] else { return CallNumber(CallNumber.serversBit) }
        var number: CallNumber
        repeat {
            connection.lastNumber = (connection.lastNumber + 1) & ~CallNumber.serversBit
            number = CallNumber(connection.lastNumber | CallNumber.serversBit)
        } while connection.calls[number] != nil
        connections[host] = connection
        return number
    }

    /// Tells the ringer that its host was reached, and passes on what the ringer has said.
    mutating func reached(_ key: UInt64, now: Instant) {
        guard let call = calls[key], let host = call.host else { return }
        counts.reached += 1
        calls[key]?.until = nil
        calls[key]?.held = []
        switch call.ringer {
        case .here(let id, let number):
            sendTURN(of: call.device, to: id, number, now: now)
            send(.ringing(number), to: id)
        case .there(let instance, let theirs): publish(.reached(call: theirs, as: key), to: instance)
        }
        for message in call.held { deliver(message, to: host, of: key, now: now) }
    }

    private mutating func sendTURN(
        of device: RendezvousID, to id: ConnectionID, _ number: CallNumber, now: Instant
    ) {
        guard let turn = settings.turn else { return }
        guard let credentials = try? turn.secret.credentials(for: device.text, now: now, crypto: crypto) else {
            return drop(.turnFailed)
        }
        let entries = turn.urls.prefix(RendezvousLimits.turnEntries).map {
            TURNEntry(url: $0, username: credentials.username, credential: credentials.password)
        }
        let fits = entries.allSatisfy { entry in
            [entry.url, entry.username, entry.credential].allSatisfy { $0.utf8.count <= RendezvousLimits.turnText }
        }
        guard fits else { return drop(.turnFailed) }
        send(.turn(number, entries, seconds: Self.seconds(turn.life)), to: id)
    }

    // MARK: What the ends say

    mutating func pass(_ bytes: [UInt8], of number: CallNumber, from id: ConnectionID, now: Instant) {
        guard let key = connections[id]?.calls[number], var call = calls[key] else { return drop(.unknownCall) }
        let isAllowed = call.messages.take(now: now) && call.messageBytes.take(bytes.count, now: now)
        let isRingers = call.ringer == .here(id, number)
        guard isAllowed else {
            drop(.callMessages)
            return end(key, .tooFast, now: now)
        }
        guard let side = isRingers ? call.host : call.ringer else {
            let size = call.held.reduce(bytes.count) { $0 + $1.count }
            guard call.held.count < settings.heldOfCall, size <= settings.heldBytesOfCall else {
                drop(.callHeld)
                return end(key, .tooFast, now: now)
            }
            call.held.append(bytes)
            calls[key] = call
            return
        }
        calls[key] = call
        deliver(bytes, to: side, of: key, now: now)
    }

    mutating func passData(_ bytes: [UInt8], of number: CallNumber, from id: ConnectionID, now: Instant) {
        guard let key = connections[id]?.calls[number], let call = calls[key] else { return drop(.unknownCall) }
        guard calls[key]?.data.take(bytes.count, now: now) ?? false else { return drop(.callData) }
        // A datagram before the host was reached has no use there.
        guard let side = call.ringer == .here(id, number) ? call.host : call.ringer else { return drop(.unknownCall) }
        deliverData(bytes, to: side)
    }

    mutating func deliver(_ bytes: [UInt8], to side: Side, of key: UInt64, now: Instant) {
        switch side {
        case .here(let id, let number):
            guard let connection = connections[id], calls[key] != nil else { return }
            guard connection.waiting <= settings.waitingForMessages else {
                drop(.messageWaiting)
                return end(key, .tooFast, now: now)
            }
            counts.messages += 1
            counts.bytes += bytes.count
            send(.message(number, bytes), to: id)
        case .there(let instance, let theirs): publish(.message(call: theirs, bytes), to: instance)
        }
    }

    mutating func deliverData(_ bytes: [UInt8], to side: Side) {
        switch side {
        case .here(let id, let number):
            guard let connection = connections[id] else { return }
            guard connection.waiting <= settings.waitingForData else { return drop(.dataWaiting) }
            counts.datagrams += 1
            counts.bytes += bytes.count
            send(.data(number, bytes), to: id)
        case .there(let instance, let theirs): publish(.data(call: theirs, bytes), to: instance)
        }
    }

    // MARK: The end

    mutating func hangUp(_ number: CallNumber, _ reason: HangUpReason, from id: ConnectionID, now: Instant) {
        guard let key = connections[id]?.calls[number] else { return drop(.unknownCall) }
        // What only a server can know is not passed on as an end's word.
        let told: HangUpReason = [.unreachable, .lost].contains(reason) ? .ended : reason
        end(key, told, except: .here(id, number), now: now)
    }

    /// Ends a call, and tells both ends but the one that knows.
    mutating func end(_ key: UInt64, _ reason: HangUpReason, except known: Side? = nil, now: Instant) {
        guard let call = calls.removeValue(forKey: key) else { return }
        for side in [call.ringer, call.host] {
            switch side {
            case .here(let id, let number):
                guard connections[id] != nil else { continue }
                connections[id]?.calls[number] = nil
                connections[id]?.until = now + settings.idleTime
                if side != known { send(.hungUp(number, reason), to: id) }
            case .there(let instance, let theirs):
                if side != known { publish(.hangUp(call: theirs, reason), to: instance) }
            case nil: continue
            }
        }
    }
}
