private import DequeModule
internal import HelioADBWire
package import HelioCore
internal import HelioPhoneWire

/// An Android phone behind adb, as a source of pictures and sound and a target of input (requirement row 1).
///
/// The engine speaks to adb's server over connections that its driver opens: it waits for the phone, writes
/// Heliograph's server to it, starts that by `app_process`, connects to it, and decides all: codec, size, settings,
/// retries, keyframes, bitrate, reconnections. The phone's server obeys. Nothing is captured while nobody watches.
///
/// ```
///   version -> tracker -> phone is ready -> probe -> push -> server -> channels -> running
///                ^                                                                    |
///                +------------- lost: wait, longer after each failure ----------------+
/// ```
package struct AndroidPhone: Engine {
    package enum Input: Sendable {
        /// A connection to adb's server is open.
        case connected(ADBStreamID)
        case received(ADBStreamID, [UInt8])
        /// A connection has closed, or could not be opened.
        case closed(ADBStreamID, wasOpen: Bool)
        /// The outcome of `startServer`; `nil` for success.
        case serverStarted(AndroidTrouble?)
        case watched(Bool)
        /// A viewer needs a keyframe.
        case keyframe
        /// The bitrate that the viewers' paths carry, in bits per second.
        case bitrate(Int)
        /// The largest picture that all viewers take; `nil` for no limit.
        case largest(PixelSize?)
        case input(AndroidInput)
        /// Puts text on the phone's clipboard.
        case clipboard(String)
        /// True while somebody listens.
        case sound(Bool)
        case screen(isOn: Bool)
        case end
    }

    package enum Output: Sendable, Hashable {
        /// Opens a connection to adb's server.
        case connect(ADBStreamID)
        case send(ADBStreamID, [UInt8])
        /// Closes a connection once all bytes sent on it have left. No more of its events may be reported.
        case close(ADBStreamID)
        /// Runs `adb start-server`.
        case startServer
        case event(AndroidEvent)
    }

    enum Phase: Sendable, Hashable {
        case idle
        case startingServer
        case version
        /// The tracker is open; the phone is not ready.
        case waiting
        case probing, pushing, starting, opening, running
        case ended
    }

    package internal(set) var statistics = AndroidStatistics()

    let settings: AndroidSettings
    var random: any RandomNumberGenerator & Sendable
    var phase = Phase.idle
    var streams: [ADBStream] = []
    var nextStream: UInt64 = 1
    private var outputs = Deque<Output>()

    // The phone.
    var devices: [ADBDevice] = []
    /// The phone that is shared, once it is known.
    var serial: String?
    var hasBeenReady = false
    var hasTriedServer = false
    var trouble: AndroidTrouble?
    var stepEnds: Instant?
    var retryAt: Instant?
    var retry = Retry(first: .milliseconds(250), longest: .seconds(5))
    var failures = 0
    /// The time until which a person may plug the phone in or allow debugging; `nil` once it was ready.
    var patienceEnds: Instant?

    // The present connection to its server.
    var socketName = ""
    var token: [UInt8] = []
    var lines = ServerLines()
    var probed: [UInt8] = []
    var push = PushStage.status
    var channels: [PhoneChannel: PhoneReader<PhoneReport>] = [:]
    var channelStreams: [PhoneChannel: ADBStreamID] = [:]
    var link = PhoneLink()

    // The wishes of the host, which outlive a connection.
    var isWatched = false
    var wantsSound = false
    var largest: PixelSize?
    var bitrate: Int
    var fingers = PhoneFingers()
    var keys = HeldPhoneKeys()
    var pointer = (x: 0.5, y: 0.5)

    package init(_ settings: AndroidSettings, random: any RandomNumberGenerator & Sendable, now: Instant) {
        self.settings = settings
        self.random = random
        serial = settings.serial
        bitrate = settings.bitrate
        begin(now)
    }

    package mutating func handle(_ input: consuming Input, now: Instant) {
        guard phase != .ended else { return }
        switch input {
        case .connected(let id): connected(id, now)
        case .received(let id, let bytes): received(id, bytes, now)
        case .closed(let id, let wasOpen): closed(id, wasOpen, now)
        case .serverStarted(let trouble): serverStarted(trouble, now)
        case .watched(let watched): setWatched(watched, now)
        case .keyframe: if link.encode != nil { link.demand.ask(now: now) }
        case .bitrate(let bits): setBitrate(bits)
        case .largest(let size): setLargest(size, now)
        case .input(let input): take(input)
        case .clipboard(let text): setClipboard(text)
        case .sound(let isOn):
            wantsSound = isOn
            if phase == .running { order(.sound(isOn: isOn)) }
        case .screen(let isOn): if phase == .running { order(.screen(isOn: isOn)) }
        case .end: end()
        }
        if phase == .running { pursueKeyframe(now) }
    }

    package mutating func tick(now: Instant) {
        guard phase != .ended else { return }
        if let stepEnds, now >= stepEnds { return lose(.silent, now) }
        if let retryAt, now >= retryAt {
            self.retryAt = nil
            resume(now)
        }
        if let patienceEnds, now >= patienceEnds, let trouble { return fail(trouble) }
        guard phase == .running else { return }
        if now >= link.heard + AndroidSettings.silence { return lose(.silent, now) }
        if now >= link.nextPing {
            link.ping &+= 1
            link.pinged = now
            link.nextPing = now + AndroidSettings.pingInterval
            order(.ping(link.ping))
        }
        pursueKeyframe(now)
    }

    package mutating func poll() -> Output? { outputs.popFirst() }

    package var deadline: Deadline? {
        guard phase != .ended else { return nil }
        var first = stepEnds.map { Deadline(at: $0, why: "step") }
        first = .earliest(first, retryAt.map { Deadline(at: $0, why: "retry") })
        first = .earliest(first, patienceEnds.map { Deadline(at: $0, why: "patience") })
        guard phase == .running else { return first }
        first = .earliest(first, Deadline(at: min(link.nextPing, link.heard + AndroidSettings.silence), why: "ping"))
        return .earliest(first, link.demand.deadline)
    }

    /// True after the last event, or the end.
    package var isOver: Bool { phase == .ended }

    /// The bytes of incomplete messages.
    package var bufferedByteCount: Int {
        streams.reduce(channels.values.reduce(0) { $0 + $1.bufferedByteCount }) { $0 + $1.reader.bufferedByteCount }
            + probed.count
    }

    mutating func put(_ output: Output) { outputs.append(output) }
    mutating func tell(_ event: AndroidEvent) { outputs.append(.event(event)) }

    // MARK: Ends

    /// Ends for good by a trouble.
    mutating func fail(_ trouble: AndroidTrouble) {
        disconnect()
        phase = .ended
        tell(.failed(trouble))
    }

    private mutating func end() {
        if phase == .running { release() }
        disconnect()
        phase = .ended
    }

    /// Closes all connections.
    mutating func disconnect() {
        for stream in streams { put(.close(stream.id)) }
        streams = []
        leave()
    }

    /// Forgets the connection to the phone's server.
    mutating func leave() {
        (channels, channelStreams, link) = ([:], [:], PhoneLink())
        (stepEnds, probed, lines, push) = (nil, [], ServerLines(), .status)
        fingers.forget()
        keys.forget()
    }
}
