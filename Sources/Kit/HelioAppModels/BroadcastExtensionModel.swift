private import HelioBroadcast
private import HelioCore

/// The broadcast extension's lifecycle: the destination of pictures, the heartbeat, and, if memory runs short, an end
/// with a message before the system would kill the extension without any message (requirement rows 81, 157, 160, 166
/// and 168).
public struct BroadcastExtensionModel: Sendable {
    /// An event that the extension reports to the model.
    public enum Event: Hashable, Sendable {
        /// The system has started the extension. `hasApp` is true if the relay's socket exists; `endpoint` and `key`
        /// are the values that the app has stored, `nil` if it stored none.
        case started(hasApp: Bool, endpoint: String?, key: String?)
        case paused
        case resumed
        case finished
        /// The process's memory in bytes, as the system counts it against the limit.
        case memory(Int)
        case appGone
        case serverRefused(String)
    }

    /// An effect that the extension has to execute.
    public enum Effect: Hashable, Sendable {
        /// Opens the relay to the app.
        case openRelay
        /// Opens the connection to a server.
        case openServer(endpoint: String, key: String?)
        /// Writes ``heartbeat(run:sequence:isEnd:milliseconds:)`` to the heartbeat's file.
        case beat(sequence: UInt64, isEnd: Bool)
        /// Makes the next picture a keyframe.
        case keyframe
        /// Reduces the pictures' size and bitrate, because memory is short.
        case lessen
        case close
        /// Tells the system that the broadcast ends, with the reason for the user.
        case fail(Phrase)
    }

    /// The system's memory limit in bytes.
    public static let memoryLimit = 50_000_000
    /// The memory use in bytes at which pictures are dropped, until the use falls below ``relaxedMemory``.
    public static let tightMemory = 42_000_000
    /// The memory use in bytes below which pictures are accepted again.
    public static let relaxedMemory = 36_000_000
    /// The memory use in bytes at which the extension ends the broadcast itself.
    public static let lastMemory = 47_000_000

    /// The effects that have not been executed yet.
    public var effects = EffectQueue<Effect>()
    /// The number of pictures that were dropped because memory was short or the broadcast was paused.
    public private(set) var drops = 0
    private var heartbeat: HeartbeatSource?
    private var isRunning = false
    private var isPaused = false
    private var isTight = false

    /// Makes the model in its state before the system has started the extension.
    public init() {}

    /// Handles an event. Before `started` and after the end, only `started` has an effect.
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

    /// Queues a heartbeat if one is due.
    public mutating func tick(now: Duration) {
        heartbeat?.tick(now: Instant.zero + now)
        drain()
    }

    /// The time of the next necessary call of `tick(now:)`; `nil` for none.
    public var deadline: Duration? { heartbeat?.deadline.map { $0.at - Instant.zero } }

    /// Removes and returns the next effect; `nil` if there is none.
    public mutating func poll() -> Effect? { effects.next() }

    /// Returns true if an arrived picture has to be coded; otherwise counts it as dropped.
    public mutating func takesPicture() -> Bool {
        guard isRunning else { return false }
        guard !isPaused, !isTight else {
            drops += 1
            return false
        }
        return true
    }

    /// Returns the content of the heartbeat's file for one beat.
    ///
    /// - Parameters:
    ///   - run: a random number that identifies this run of the extension.
    ///   - milliseconds: the wall-clock time, in milliseconds since 1970.
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
        // The dropped pictures are missing as references, so the next picture has to be a keyframe.
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
