internal import HelioCore
internal import HelioRendezvousWire

extension RendezvousServer {
    mutating func opened(_ id: ConnectionID, _ address: IPAddress, _ authority: String, now: Instant) {
        guard connections[id] == nil else { return drop(.unexpectedFrame) }
        if let drainsUntil {
            send(.draining(seconds: Self.seconds(drainsUntil - now)), to: id)
            return outputs.append(.close(id))
        }
        guard connections.count < settings.mostConnections else { return turnAway(id, .serverConnections) }
        guard origin(address, now: now) != nil else { return turnAway(id, .addresses) }
        guard let count = origins[address.origin]?.connections, count < settings.connectionsOfAddress else {
            return turnAway(id, .addressConnections)
        }
        origins[address.origin]?.connections += 1
        let nonce = (0..<RendezvousLimits.nonce).map { _ in UInt8.random(in: .min ... .max, using: &random) }
        connections[id] = Connection(
            address: address, authority: authority, nonce: nonce, frames: settings.framesOfConnection.bucket,
            datagrams: settings.datagramsOfConnection.bucket, until: now + settings.greetingTime)
        send(.challenge(version: RendezvousLimits.version, nonce: nonce), to: id)
    }

    /// Refuses a connection that is one too many.
    private mutating func turnAway(_ id: ConnectionID, _ reason: RendezvousServerDrop) {
        drop(reason)
        report(.refused(id, .tooMany))
        send(.refused(.tooMany), to: id)
        outputs.append(.close(id))
    }

    /// Returns what is known of an address; `nil` if too many are known.
    mutating func origin(_ address: IPAddress, now: Instant) -> Origin? {
        if origins[address.origin] == nil {
            guard origins.count < settings.mostAddresses else { return nil }
            origins[address.origin] = Origin(
                rings: settings.ringsOfAddress.bucket, guesses: settings.guessesOfAddress.bucket,
                newDevices: settings.newDevicesOfAddress.bucket,
                storeQuestions: settings.storeQuestionsOfAddress.bucket, lastUse: now)
        }
        origins[address.origin]?.lastUse = now
        return origins[address.origin]
    }

    mutating func waiting(_ id: ConnectionID, _ bytes: Int, now: Instant) {
        guard connections[id] != nil else { return }
        connections[id]?.waiting = bytes
        if bytes > settings.mostWaiting {
            drop(.slowConnection)
            refuse(id, .tooSlow, now: now)
        }
    }

    /// Closes a connection, and says why.
    mutating func refuse(_ id: ConnectionID, _ reason: RefusalReason, now: Instant) {
        guard connections[id] != nil else { return }
        report(.refused(id, reason))
        send(.refused(reason), to: id)
        outputs.append(.close(id))
        forget(id, now: now)
    }

    /// Removes a connection that is closed: ends its calls, and takes its device as offline.
    mutating func forget(_ id: ConnectionID, now: Instant) {
        guard let connection = connections.removeValue(forKey: id) else { return }
        origins[connection.address.origin]?.connections -= 1
        origins[connection.address.origin]?.lastUse = now
        for call in connection.calls.values.sorted() { end(call, .lost, now: now) }
        for device in connection.watches.keys {
            let others = watchers[device]?.filter { $0 != id } ?? []
            watchers[device] = others.isEmpty ? nil : others
            leavePermits(of: device)
        }
        if let device = connection.device, devices[device]?.place == .here(id) { leave(device, now: now) }
        finishDraining()
    }

    // MARK: Frames

    /// The first byte of a frame with a datagram.
    private static let datagram = ClientFrame.data(CallNumber(0), []).serialised().first

    mutating func received(_ bytes: [UInt8], from id: ConnectionID, now: Instant) {
        guard let connection = connections[id] else { return drop(.unknownConnection) }
        if bytes.first == Self.datagram, !connection.calls.isEmpty {
            // A host can't know how fast its calls may be all together.
            guard connections[id]?.datagrams.take(now: now) ?? false else { return drop(.connectionData) }
        } else if !(connections[id]?.frames.take(now: now) ?? false) {
            drop(.connectionFrames)
            return refuse(id, .tooFast, now: now)
        }
        guard let frame = try? ClientFrame.parse(bytes.span.bytes) else {
            drop(.unparsable)
            return refuse(id, .protocolError, now: now)
        }
        switch frame {
        case .register(let key, let signature): register(id, key, signature, now: now)
        case .permit(let permits): publish(permits, from: id, now: now)
        case .ring(let number, let device, let token): ring(id, number, device, token, now: now)
        case .watch(let device, let token): watch(id, device, token, now: now)
        case .message(let number, let bytes): pass(bytes, of: number, from: id, now: now)
        case .data(let number, let bytes): passData(bytes, of: number, from: id, now: now)
        case .hangUp(let number, let reason): hangUp(number, reason, from: id, now: now)
        }
    }

    /// Ends a connection that has sent a frame at a wrong time.
    mutating func violates(_ id: ConnectionID, now: Instant) {
        drop(.unexpectedFrame)
        refuse(id, .protocolError, now: now)
    }

    // MARK: Time and draining

    /// Checks all limits of time.
    mutating func check(now: Instant) {
        let idle = connections.filter { !$0.value.isNeeded && now >= $0.value.until }
        for id in idle.keys.sorted(by: { $0.rawValue < $1.rawValue }) {
            drop(.idle)
            refuse(id, .idle, now: now)
        }
        let late = calls.filter { $0.value.until.map { now >= $0 } ?? false }
        for key in late.keys.sorted() { end(key, .unreachable, now: now) }
        let unused = origins.filter { $0.value.isForgettable(now: now) }
        for address in unused.keys { origins[address] = nil }
        checkPeers(now: now)
        forgetDevices()
    }

    /// Forgets devices that have been offline the longest, if too many are known. The store still knows them.
    private mutating func forgetDevices() {
        let excess = devices.count - settings.mostDevices
        guard excess > 0 else { return }
        let offline = devices.filter { $0.value.place == .offline && watchers[$0.key] == nil }
        let oldest = offline.sorted { $0.value.lastSeen < $1.value.lastSeen }.prefix(excess)
        for (device, _) in oldest { devices[device] = nil }
    }

    mutating func drain(now: Instant) {
        guard drainsUntil == nil else { return }
        drainsUntil = now + settings.drainTime
        for id in connections.keys.sorted(by: { $0.rawValue < $1.rawValue }) {
            send(.draining(seconds: Self.seconds(settings.drainTime)), to: id)
        }
        finishDraining()
    }

    mutating func closeAll(now: Instant) {
        for id in connections.keys.sorted(by: { $0.rawValue < $1.rawValue }) {
            outputs.append(.close(id))
            forget(id, now: now)
        }
        finishDraining()
    }

    private mutating func finishDraining() {
        guard drainsUntil != nil, connections.isEmpty, !hasDrained else { return }
        hasDrained = true
        publish(.leave)
        report(.drained)
    }

    static func seconds(_ duration: Duration) -> UInt32 {
        UInt32(clamping: Int(max(0, duration.inSeconds.rounded(.up))))
    }
}
