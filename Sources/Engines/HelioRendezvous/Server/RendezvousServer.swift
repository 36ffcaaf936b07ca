internal import DequeModule
package import HelioCore
package import HelioProtection
internal import HelioRendezvousWire

/// One instance of a rendezvous server. It knows devices by their keys, and passes sealed messages between those who
/// ring and those who permit it.
///
/// A device proves its key by a signature over the server's challenge. It publishes tags, the hashes of the tokens of
/// those who may ring it; only who shows a token whose hash is among them can ring it or learn whether it is online.
/// Anybody else is answered as if the device did not exist.
///
/// Several instances are joined by a bus: each tells the others of its devices and of its being alive, passes rings on
/// to the instance where the device is, and takes the calls and devices of an instance that is no longer heard as lost.
package struct RendezvousServer: ~Copyable, Engine {
    /// The interval in which limits of time are checked.
    static let checkInterval = Duration.seconds(1)
    /// The least time for which an address without a connection is remembered, with its limits.
    static let addressMemory = Duration.seconds(300)

    let settings: Settings
    let verifier: any SignatureVerifier
    let crypto: any CryptoProvider
    var random: any RandomNumberGenerator & Sendable
    var outputs = Deque<Output>()
    var connections: [ConnectionID: Connection] = [:]
    var devices: [RendezvousID: Device] = [:]
    /// The connections that watch a device, in the order in which they began.
    var watchers: [RendezvousID: [ConnectionID]] = [:]
    var calls: [UInt64: Call] = [:]
    var lastCall: UInt64 = 0
    var origins: [IPAddress: Origin] = [:]
    var blocked: Set<RendezvousID> = []
    /// The devices that the store is asked for, with the calls that wait for its answer.
    var loading: [RendezvousID: [UInt64]] = [:]
    /// The time until which an unknown device may be one that is forgotten.
    var doubtsUntil: Instant?
    var peers: [InstanceID: Peer] = [:]
    /// The number of this instance's last record.
    var recordNumber: UInt64 = 0
    var nextAlive: Instant
    var nextCheck: Instant
    /// The time at which a draining server closes what is left.
    var drainsUntil: Instant?
    var hasDrained = false
    var counts = Statistics()

    /// - Parameters:
    ///   - random: the source of the challenges; it has to be secure, except in tests.
    package init(
        _ settings: Settings, verifier: any SignatureVerifier, crypto: any CryptoProvider,
        random: any RandomNumberGenerator & Sendable, now: Instant
    ) {
        self.settings = settings
        self.verifier = verifier
        self.crypto = crypto
        self.random = random
        nextAlive = now
        nextCheck = now + Self.checkInterval
        if settings.startsInDoubt { doubtsUntil = now + settings.doubtTime }
    }

    package var statistics: Statistics {
        var all = counts
        all.connections = connections.count
        all.registered = connections.values.count { $0.device != nil }
        all.calls = calls.count
        all.instances = peers.count
        return all
    }

    package mutating func handle(_ input: consuming Input, now: Instant) {
        switch input {
        case .opened(let id, let address, let authority): opened(id, address.unmapped, authority, now: now)
        case .received(let id, let bytes): received(bytes, from: id, now: now)
        case .waiting(let id, let bytes): waiting(id, bytes, now: now)
        case .closed(let id): forget(id, now: now)
        case .bus(let message): received(message, now: now)
        case .busInterrupted: askAgain(now: now)
        case .stored(let device, let facts): stored(device, facts, now: now)
        case .storeFailed: doubtsUntil = now + settings.doubtTime
        case .blocked(let devices): block(devices, now: now)
        case .drain: drain(now: now)
        }
    }

    package mutating func poll() -> Output? { outputs.popFirst() }

    package mutating func tick(now: Instant) {
        if settings.instance != nil, !hasDrained, now >= nextAlive {
            publish(.alive(number: recordNumber))
            nextAlive = now + settings.aliveInterval
        }
        if let drainsUntil, !hasDrained, now >= drainsUntil { closeAll(now: now) }
        guard now >= nextCheck else { return }
        nextCheck = now + Self.checkInterval
        check(now: now)
    }

    package var deadline: Deadline? {
        guard !hasDrained else { return nil }
        let alive = settings.instance == nil ? nil : Deadline(at: nextAlive, why: "a sign of life")
        let end = drainsUntil.map { Deadline(at: $0, why: "the end of draining") }
        let isIdle = connections.isEmpty && peers.isEmpty && calls.isEmpty && origins.isEmpty
        let check = isIdle ? nil : Deadline(at: nextCheck, why: "limits of time")
        return .earliest(.earliest(alive, end), check)
    }

    mutating func send(_ frame: ServerFrame, to id: ConnectionID) { outputs.append(.send(id, frame.serialised())) }
    mutating func report(_ event: Event) { outputs.append(.event(event)) }
    mutating func drop(_ reason: RendezvousServerDrop) { counts.drops.count(reason) }
}
