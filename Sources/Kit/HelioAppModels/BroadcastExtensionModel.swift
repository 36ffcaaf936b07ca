private import HelioBroadcast
private import HelioCore

/// The broadcast extension's life: where pictures go, its heartbeat, and an end in words before the system would end it
/// without any (rows 81, 157, 160, 166 and 168).
public struct BroadcastExtensionModel: Sendable {
    /// What happens elsewhere and is told here.
    public enum Event: Hashable, Sendable {
        /// The system has started it; what the app has stored, `nil` for what it has not.
        case started(hasApp: Bool, endpoint: String?, key: String?)
        case paused
        case resumed
        case finished
        /// The memory that the process takes, in bytes, as the system counts it against the limit.
        case memory(Int)
        case appGone
        case serverRefused(String)
    }

    /// What is to be done elsewhere.
    public enum Effect: Hashable, Sendable {
        /// Hands pictures to the app.
        case openRelay
        /// Sends them to a server.
        case openServer(endpoint: String, key: String?)
        /// Writes ``heartbeat(run:sequence:isEnd:milliseconds:)`` to the heartbeat's file.
        case beat(sequence: UInt64, isEnd: Bool)
        /// The next picture is to be a keyframe.
        case keyframe
        /// Memory is short: pictures are to become smaller, and fewer bits.
        case lessen
        case close
        /// Tells the system that the broadcast ends, and a person why.
        case fail(Phrase)
    }

    /// What the system allows.
    public static let memoryLimit = 50_000_000
    /// From here on pictures are dropped, until the memory is below ``relaxedMemory``.
    public static let tightMemory = 42_000_000
    /// From below here on pictures are taken again, in bytes.
    public static let relaxedMemory = 36_000_000
    /// From here on it ends by itself.
    public static let lastMemory = 47_000_000

    /// What is to be done and nobody has taken yet.
    public var effects = EffectQueue<Effect>()
    /// Pictures that were dropped because memory was short or the broadcast was paused.
    public private(set) var drops = 0
    private var heartbeat: HeartbeatSource?
    private var isRunning = false
    private var isPaused = false
    private var isTight = false

    /// Makes it as it is at first.
    public init() {}

    /// Takes in what has happened.
    public mutating func handle(_ event: Event, now: Duration) {
        if case .started(let hasApp, let endpoint, let key) = event {
            return start(hasApp: hasApp, endpoint: endpoint, key: key, now: now)
        }
        guard isRunning else { return }
        switch event {
        case .started: break
        case .paused: isPaused = true
        case .resumed:
            isPaused = false
            effects.append(.keyframe)
        case .finished: end(now: now)
        case .memory(let bytes): measured(bytes, now: now)
        case .appGone: fail(Phrase(.extAppGone), now: now)
        case .serverRefused(let reason): fail(Phrase(.extServerRefused, reason), now: now)
        }
    }

    /// Lets what waits for a time happen.
    public mutating func tick(now: Duration) {
        heartbeat?.tick(now: Instant.zero + now)
        drain()
    }

    /// When `tick(now:)` is to be called next; `nil` where nothing waits for a time.
    public var deadline: Duration? { heartbeat?.deadline.map { $0.at - Instant.zero } }

    /// Takes what is to be done next; `nil` where there is nothing.
    public mutating func poll() -> Effect? { effects.next() }

    /// Asks whether a picture that has come is to be coded; counts it otherwise.
    public mutating func takesPicture() -> Bool {
        guard isRunning else { return false }
        guard !isPaused, !isTight else {
            drops += 1
            return false
        }
        return true
    }

    /// The bytes of the heartbeat's file for a beat.
    ///
    /// - Parameters:
    ///   - run: drawn anew by each start of the extension.
    ///   - milliseconds: the time of the day, since 1970.
    public static func heartbeat(run: UInt64, sequence: UInt64, isEnd: Bool, milliseconds: Int64) -> [UInt8] {
        HeartbeatRecord(run: run, sequence: sequence, milliseconds: milliseconds, isEnd: isEnd).bytes
    }

    private mutating func start(hasApp: Bool, endpoint: String?, key: String?, now: Duration) {
        guard !isRunning else { return }
        if let endpoint, !endpoint.isEmpty {
            guard BroadcastKeys.isAddress(endpoint) else { return effects.append(.fail(Phrase(.extNoDestination))) }
            effects.append(.openServer(endpoint: endpoint, key: key))
        } else {
            guard hasApp else { return effects.append(.fail(Phrase(.extNoDestination))) }
            effects.append(.openRelay)
        }
        isRunning = true
        isPaused = false
        isTight = false
        heartbeat = HeartbeatSource(now: Instant.zero + now)
        drain()
    }

    private mutating func measured(_ bytes: Int, now: Duration) {
        if bytes >= Self.lastMemory { return fail(Phrase(.extMemory), now: now) }
        if bytes >= Self.tightMemory, !isTight {
            isTight = true
            effects.append(.lessen)
        }
        guard isTight, bytes < Self.relaxedMemory else { return }
        isTight = false
        // What was dropped is missing from what follows.
        effects.append(.keyframe)
    }

    private mutating func fail(_ reason: Phrase, now: Duration) {
        end(now: now)
        effects.append(.fail(reason))
    }

    private mutating func end(now: Duration) {
        isRunning = false
        heartbeat?.handle(.end, now: Instant.zero + now)
        drain()
        heartbeat = nil
        effects.append(.close)
    }

    private mutating func drain() {
        while let beat = heartbeat?.poll() { effects.append(.beat(sequence: beat.sequence, isEnd: beat.isEnd)) }
    }
}
