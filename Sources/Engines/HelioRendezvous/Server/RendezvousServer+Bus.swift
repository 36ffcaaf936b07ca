internal import HelioCore
internal import HelioRendezvousWire

extension RendezvousServer {
    /// Sends a frame to an instance, or to everyone. Without a bus nothing is sent.
    mutating func publish(_ frame: BusFrame, to instance: InstanceID? = nil) {
        guard let own = settings.instance else { return }
        let subject = instance?.subject ?? BusOrder.everyone
        outputs.append(.bus(BusOrder(subject: subject, bytes: frame.serialised(from: own))))
    }

    /// Tells everyone of a device of this instance.
    mutating func announce(_ device: RendezvousID, now: Instant) {
        guard settings.instance != nil, let record = record(of: device, now: now) else { return }
        recordNumber += 1
        publish(.record(number: recordNumber, record))
    }

    private func record(of device: RendezvousID, now: Instant) -> DeviceRecord? {
        guard let known = devices[device] else { return nil }
        let isOnline = if case .here = known.place { true } else { false }
        let permits = known.permits.filter { $0.value.isValid(now) }
            .map { Permit(tag: $0.key, seconds: $0.value.secondsLeft(now)) }
            .sorted { $0.tag.bytes.lexicographicallyPrecedes($1.tag.bytes) }
        return DeviceRecord(
            device: device, epoch: known.epoch, isOnline: isOnline,
            secondsAgo: isOnline ? 0 : Self.seconds(now - known.lastSeen), permits: permits)
    }

    mutating func received(_ message: BusMessage, now: Instant) {
        guard let own = settings.instance else { return drop(.busUnknownInstance) }
        guard let (sender, frame) = BusFrame.parse(message.bytes.span.bytes) else { return drop(.busUnparsable) }
        guard sender != own, !hasDrained else { return }
        if case .leave = frame { return lose(sender, now: now) }
        guard meet(sender, frame, now: now) else { return drop(.busUnknownInstance) }
        switch frame {
        case .alive(let number): if peers[sender]?.number != number { ask(sender, now: now) }
        case .ask: answer(sender, now: now)
        case .record(let number, let record):
            apply(record, from: sender, now: now)
            follow(sender, number, now: now)
        case .complete(let number):
            let last = peers[sender]?.number ?? 0
            peers[sender]?.number = max(number, last)
        case .leave: break
        case .ring(let call, let device, let tag, let address):
            rung(by: sender, call, device, tag, address, now: now)
        case .reached(let call, let theirs): reached(call, by: sender, as: theirs, now: now)
        case .message(let call, let bytes):
            guard let side = otherSide(of: call, from: sender) else { return drop(.busUnknownCall) }
            deliver(bytes, to: side, of: call, now: now)
        case .data(let call, let bytes):
            guard let side = otherSide(of: call, from: sender) else { return drop(.busUnknownCall) }
            deliverData(bytes, to: side)
        case .hangUp(let call, let reason): hungUp(call, reason, by: sender, now: now)
        }
    }

    // MARK: Instances

    /// Enters an instance that is heard for the first time. Returns false if it is unknown, and can't be entered.
    private mutating func meet(_ sender: InstanceID, _ frame: BusFrame, now: Instant) -> Bool {
        if peers[sender] == nil {
            switch frame {
            case .alive, .record, .ask: break
            default: return false
            }
            guard peers.count < settings.mostInstances else { return false }
            peers[sender] = Peer(heard: now)
            report(.instanceFound(sender))
        }
        peers[sender]?.heard = now
        return true
    }

    /// Asks an instance for its devices, unless it was asked just before.
    private mutating func ask(_ sender: InstanceID, now: Instant) {
        if let asked = peers[sender]?.asked, now - asked < settings.aliveInterval { return }
        peers[sender]?.asked = now
        publish(.ask, to: sender)
    }

    private mutating func answer(_ sender: InstanceID, now: Instant) {
        let own = devices.filter { $0.value.holder == settings.instance }.keys
        for device in own.sorted(by: { $0.bytes.lexicographicallyPrecedes($1.bytes) }) {
            guard let record = record(of: device, now: now) else { continue }
            publish(.record(number: 0, record), to: sender)
        }
        publish(.complete(number: recordNumber), to: sender)
    }

    /// Notes the number of a record, and asks for all if one is missing. Answers to a question have the number 0.
    private mutating func follow(_ sender: InstanceID, _ number: UInt64, now: Instant) {
        guard number > 0, let last = peers[sender]?.number, number > last else { return }
        if number == last + 1 { peers[sender]?.number = number } else { ask(sender, now: now) }
    }

    /// Gives a sign of life at once, and asks each instance for its devices at its next one.
    mutating func askAgain(now: Instant) {
        guard settings.instance != nil else { return }
        for instance in peers.keys {
            peers[instance]?.number = nil
            peers[instance]?.asked = nil
        }
        nextAlive = min(nextAlive, now)
    }

    mutating func checkPeers(now: Instant) {
        let silent = peers.filter { now - $0.value.heard >= settings.instanceTime }
        for instance in silent.keys.sorted() { lose(instance, now: now) }
    }

    /// Takes the devices and calls of an instance as lost.
    private mutating func lose(_ instance: InstanceID, now: Instant) {
        guard let peer = peers.removeValue(forKey: instance) else { return }
        report(.instanceLost(instance))
        let lost = calls.filter { call in
            [call.value.ringer, call.value.host].contains { $0?.instance == instance } || call.value.asked == instance
        }
        for key in lost.keys.sorted() { end(key, calls[key]?.host == nil ? .unreachable : .lost, now: now) }
        let gone = devices.filter { $0.value.place == .there(instance) }.keys
        for device in gone.sorted(by: { $0.bytes.lexicographicallyPrecedes($1.bytes) }) {
            devices[device]?.place = .offline
            devices[device]?.lastSeen = peer.heard
            tellWatchers(of: device, now: now)
        }
    }

    // MARK: Devices

    private mutating func apply(_ record: DeviceRecord, from sender: InstanceID, now: Instant) {
        let device = record.device
        guard remember(device, now: now), let known = devices[device] else { return drop(.serverDevices) }
        let isNewer =
            record.epoch > known.epoch
            || record.epoch == known.epoch && (known.holder.map { sender >= $0 } ?? true)
        if case .here(let id) = known.place {
            guard isNewer, record.isOnline else {
                drop(.busOldRecord)
                // The other instance has to learn that the device is here.
                if record.isOnline { announce(device, now: now) }
                return
            }
            enter(record, from: sender, now: now)
            refuse(id, .replaced, now: now)
        } else {
            guard isNewer || record.isOnline && known.place == .offline else { return drop(.busOldRecord) }
            enter(record, from: sender, now: now)
        }
        tellWatchers(of: device, now: now)
    }

    private mutating func enter(_ record: DeviceRecord, from sender: InstanceID, now: Instant) {
        devices[record.device]?.place = record.isOnline ? .there(sender) : .offline
        devices[record.device]?.lastSeen = now - .seconds(Int(record.secondsAgo))
        devices[record.device]?.permits = Self.ends(of: record.permits, now: now)
        devices[record.device]?.epoch = record.epoch
        devices[record.device]?.holder = sender
    }

    // MARK: Calls

    private mutating func rung(
        by sender: InstanceID, _ theirs: UInt64, _ device: RendezvousID, _ tag: RingTag, _ address: String, now: Instant
    ) {
        guard let known = devices[device], case .here(let host) = known.place else {
            return publish(.hangUp(call: theirs, .unreachable), to: sender)
        }
        guard known.permits(tag, now: now) else {
            drop(.notPermitted)
            return publish(.hangUp(call: theirs, .notPermitted), to: sender)
        }
        let key = begin(device, tag, from: .there(sender, theirs), address: address, now: now)
        reach(key, at: host, now: now)
    }

    private mutating func reached(_ key: UInt64, by sender: InstanceID, as theirs: UInt64, now: Instant) {
        guard let call = calls[key], call.asked == sender, call.host == nil else {
            drop(.busUnknownCall)
            return publish(.hangUp(call: theirs, .ended), to: sender)
        }
        calls[key]?.host = .there(sender, theirs)
        reached(key, now: now)
    }

    private mutating func hungUp(_ key: UInt64, _ reason: HangUpReason, by sender: InstanceID, now: Instant) {
        guard let call = calls[key] else { return drop(.busUnknownCall) }
        if call.host == nil, call.asked == sender { return end(key, reason, now: now) }
        let side = [call.ringer, call.host].compactMap { $0 }.first { $0.instance == sender }
        guard let side else { return drop(.busUnknownCall) }
        end(key, reason, except: side, now: now)
    }

    /// The end of a call that is not the sender's.
    private func otherSide(of key: UInt64, from sender: InstanceID) -> Side? {
        guard let call = calls[key] else { return nil }
        if call.ringer.instance == sender { return call.host }
        return call.host?.instance == sender ? call.ringer : nil
    }
}

extension RendezvousServer.Side {
    /// The other instance, if the end is at one.
    var instance: InstanceID? { if case .there(let instance, _) = self { instance } else { nil } }
}
