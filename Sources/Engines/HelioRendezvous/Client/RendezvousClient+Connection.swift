internal import HelioCore
internal import HelioProtection
internal import HelioRendezvousWire

extension RendezvousClient {
    var connectionDeadline: Deadline? {
        switch phase {
        case .waiting(let until): Deadline(at: until, why: "the next connection")
        case .connecting(let until): Deadline(at: until, why: "a slow connection")
        case .greeting(let until): Deadline(at: until, why: "a slow challenge")
        case .registering(let until): Deadline(at: until, why: "a slow registration")
        case .online: nil
        }
    }

    mutating func tickConnection(now: Instant) {
        switch phase {
        case .waiting(let until): if now >= until { connect(now: now) }
        case .connecting(let until), .greeting(let until), .registering(let until):
            if now >= until { lose(now: now) }
        case .online: break
        }
    }

    private mutating func connect(now: Instant) {
        phase = .connecting(until: now + settings.connectTime)
        outputs.append(.connect)
    }

    mutating func connected(now: Instant) {
        guard case .connecting = phase else { return }
        phase = .greeting(until: now + settings.greetingTime)
    }

    mutating func disconnected(now: Instant) {
        if case .waiting = phase { return }
        settle(now: now)
        retry(now: now)
    }

    /// Closes the connection, and makes it again after a wait.
    ///
    /// - Parameter isRefused: true if nothing will be better soon, so that the wait is among the longest.
    mutating func lose(isRefused: Bool = false, now: Instant) {
        if case .waiting = phase { return }
        settle(now: now)
        outputs.append(.close)
        if isRefused { wait = settings.longestWait }
        retry(now: now)
    }

    /// Lets a connection that was good for long enough begin the waits anew.
    private mutating func settle(now: Instant) {
        guard case .online(let since) = phase, now - since >= settings.goodTime else { return }
        wait = settings.firstWait
        hasMoved = false
    }

    private mutating func retry(now: Instant) {
        let drawn = wait * (0.5 + 0.5 * random.unit())
        wait = min(wait * 2, settings.longestWait)
        phase = .waiting(until: now + drawn)
        loseCalls()
        report(.offline(retryIn: drawn))
    }

    /// Goes over to another instance, as this one ends: at once, unless the connection before was moved as well and has
    /// not been good since.
    mutating func move(now: Instant) {
        settle(now: now)
        guard !hasMoved else { return lose(now: now) }
        hasMoved = true
        outputs.append(.close)
        loseCalls()
        report(.offline(retryIn: .zero))
        connect(now: now)
    }

    /// Ends the calls of the lost connection; those that have not been rung wait for the next one.
    private mutating func loseCalls() {
        for (number, call) in zip(calls.keys, calls.values) {
            if case .waiting = call.state { continue }
            end(number, .lost)
        }
    }

    // MARK: Greeting

    mutating func challenged(version: UInt8, nonce: [UInt8], now: Instant) {
        guard case .greeting = phase else { return drops.count(.unexpectedFrame) }
        guard version == RendezvousLimits.version else {
            report(.refused(.protocolError))
            return lose(isRefused: true, now: now)
        }
        guard settings.registers else { return comeOnline(now: now) }
        let text = RegistrationText.bytes(authority: settings.authority, nonce: nonce)
        guard let signer, let signature = try? signer.sign(text), signature.count == RendezvousLimits.signature,
            signer.publicKey.count == RendezvousLimits.publicKey
        else {
            drops.count(.signingFailed)
            return lose(isRefused: true, now: now)
        }
        phase = .registering(until: now + settings.greetingTime)
        send(.register(publicKey: signer.publicKey, signature: signature))
    }

    mutating func registered(now: Instant) {
        guard case .registering = phase else { return drops.count(.unexpectedFrame) }
        comeOnline(now: now)
    }

    /// Publishes what is kept, and rings for the calls that wait.
    private mutating func comeOnline(now: Instant) {
        phase = .online(since: now)
        report(.online)
        sendPermits(now: now)
        for (device, token) in zip(watches.keys, watches.values) { send(.watch(device, token)) }
        for (number, call) in zip(calls.keys, calls.values) {
            if case .waiting(let device, let token, let held) = call.state {
                ringNow(number, device, token, held, until: call.until)
            }
        }
    }

    // MARK: Permits and watches

    mutating func publish(_ list: [Permit], now: Instant) {
        guard settings.registers else { return drops.count(.notRegistering) }
        drops.count(.tooManyPermits, max(0, list.count - RendezvousLimits.permits))
        permits = list.prefix(RendezvousLimits.permits).map { permit in
            KeptPermit(tag: permit.tag, expires: permit.seconds == 0 ? nil : now + .seconds(Int(permit.seconds)))
        }
        if isOnline { sendPermits(now: now) }
    }

    /// Sends the permits that have not expired, with the time that is left of them.
    private mutating func sendPermits(now: Instant) {
        guard let kept = permits?.filter({ $0.expires.map { $0 > now } ?? true }) else { return }
        permits = kept
        send(
            .permit(
                kept.map { permit in
                    let left = permit.expires.map { UInt32(clamping: Int(($0 - now).inSeconds.rounded(.up))) }
                    return Permit(tag: permit.tag, seconds: left.map { max(1, $0) } ?? 0)
                }))
    }

    mutating func watch(_ device: RendezvousID, _ token: RingToken) {
        guard watches[device] != nil || watches.count < RendezvousLimits.watches else {
            return drops.count(.tooManyWatches)
        }
        watches[device] = token
        if isOnline { send(.watch(device, token)) }
    }
}
