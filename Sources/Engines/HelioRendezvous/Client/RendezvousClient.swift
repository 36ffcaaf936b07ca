internal import DequeModule
package import HelioCore
internal import HelioProtection
internal import HelioRendezvousWire

/// A device's connection to a rendezvous server, of a host (which registers and is rung) or of a viewer (which rings).
///
/// The engine keeps permits and watches, and makes the connection again after each loss: after waits whose base doubles
/// from a quarter of a second to half a minute, each drawn between half of the base and the base, so that many devices
/// that a server has lost do not come back together. Calls do not survive their connection.
package struct RendezvousClient: ~Copyable, Engine {
    let settings: Settings
    let signer: (any DeviceSigner)?
    var random: SeededGenerator
    var outputs = Deque<Output>()
    var phase: Phase
    /// The base of the next wait.
    var wait: Duration
    /// True from a `draining` server until a connection has been good: the next such server is waited for.
    var hasMoved = false
    var calls = OrderedTable<CallNumber, Call>()
    var lastNumber: UInt32 = 0
    /// The permits to publish; `nil` before any were given.
    var permits: [KeptPermit]?
    var watches = OrderedTable<RendezvousID, RingToken>()
    /// The number of drops by reason.
    package internal(set) var drops = DropCounter<RendezvousClientDrop>()

    /// Makes a client, whose first tick connects.
    ///
    /// - Parameters:
    ///   - signer: the device's key; needed if the settings say that the device registers.
    ///   - seed: the seed of the waits.
    package init(_ settings: Settings, signer: (any DeviceSigner)?, seed: UInt64, now: Instant) {
        self.settings = settings
        self.signer = signer
        random = SeededGenerator(seed: seed)
        phase = .waiting(until: now)
        wait = settings.firstWait
    }

    /// True if the device is registered, or may ring if it does not register.
    package var isOnline: Bool { if case .online = phase { true } else { false } }
    /// The number of calls.
    package var callCount: Int { calls.count }

    package mutating func handle(_ input: consuming Input, now: Instant) {
        switch input {
        case .connected: connected(now: now)
        case .disconnected: disconnected(now: now)
        case .received(let bytes): received(bytes, now: now)
        case .permits(let permits): publish(permits, now: now)
        case .ring(let device, let token): ring(device, token, now: now)
        case .send(let call, let bytes): send(bytes, to: call)
        case .data(let call, let bytes): sendData(bytes, to: call)
        case .hangUp(let call, let reason): hangUp(call, reason)
        case .watch(let device, let token): watch(device, token)
        }
    }

    package mutating func tick(now: Instant) {
        tickConnection(now: now)
        for (number, call) in zip(calls.keys, calls.values) {
            guard let until = call.until, now >= until else { continue }
            if case .ringing = call.state { send(.hangUp(number, .ended)) }
            end(number, .unreachable)
        }
    }

    package mutating func poll() -> Output? { outputs.popFirst() }

    package var deadline: Deadline? {
        let unanswered = calls.values.lazy.compactMap(\.until).min().map { Deadline(at: $0, why: "an unanswered ring") }
        return .earliest(connectionDeadline, unanswered)
    }

    mutating func send(_ frame: ClientFrame) { outputs.append(.send(frame.serialised())) }
    mutating func report(_ event: Event) { outputs.append(.event(event)) }
}
