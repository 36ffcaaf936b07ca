import HelioBitstream
import HelioCore
import HelioProtection
import HelioRTMP
import HelioReceivers
import Testing

@testable import HelioBroadcast

/// A broadcast and its successive servers on virtual time: bytes arrive after a delay, in pieces of any size, and the
/// connection can be cut after any byte.
struct RTMPWorld {
    private enum Arrival {
        case reached
        case toServer([UInt8])
        case toClient([UInt8])
        case written(Int)
        case serverGone
    }

    struct Picture: Hashable {
        var number: UInt32
        var isKeyframe: Bool
        var time: UInt32
    }

    /// A server's received data of one connection.
    struct Received {
        var application: String?
        var metadata: [AMF0Property] = []
        var configurations = 0
        var pictures: [Picture] = []
        var sounds: [UInt32] = []
        var end: RTMPReceiverEnd?
    }

    static let key = "live_123456-secret?token=abc"
    static let latency = Duration.milliseconds(20)
    // x264, 320x240, Constrained Baseline.
    static let sps: [UInt8] = [
        0x67, 0x42, 0xC0, 0x0D, 0xDA, 0x05, 0x07, 0xE8, 0x40, 0x00, 0x00, 0x03, 0x00, 0x40, 0x00, 0x00, 0x0F, 0x03,
        0xC5, 0x0A, 0xA8,
    ]
    static let pps: [UInt8] = [0x68, 0xCE, 0x0F, 0xC8]

    var now = Instant.zero
    var broadcast: RTMPBroadcast
    var random: SeededGenerator
    private var server: RTMPReceiver?
    private var arrivals: [(at: Instant, order: Int, connection: Int, what: Arrival)] = []
    private var order = 0
    private var connection = 0
    private var serverAlive = true

    /// True if connections are accepted.
    var isServerUp = true
    /// The server's expected key, if it differs from ours.
    var serverKey: String?
    /// The server's expected application, if it differs from ours.
    var serverApplication: String?
    /// A scripted server: maps received bytes to its responses. It is called with an empty array at the start.
    var script: (([UInt8]) -> [[UInt8]])?
    /// True if a scripted server closes the connection a while after a response.
    var hangsUp = false
    /// True if sent bytes are held back.
    var isStalled = false
    private var heldBack: [[UInt8]] = []
    /// The number of bytes that are held back.
    var heldBackBytes: Int { heldBack.reduce(0) { $0 + $1.count } }
    /// The numbers of sent and received bytes after which the connection breaks.
    var cutsAfter: (toServer: Int, toClient: Int) = (.max, .max)
    var bytes: (toServer: Int, toClient: Int) = (0, 0)

    var events: [BroadcastEvent] = []
    var received: [Received] = []
    var connects = 0
    var cuts = 0
    var closes = 0
    var wishes = 0

    static func address() throws -> RTMPAddress {
        try RTMPAddress(
            parsing: "rtmp://server.example/live/one", key: StreamSecret(key: SecretBytes(Array(key.utf8))))
    }

    init(seed: UInt64 = 1, _ change: (inout BroadcastSettings) -> Void = { _ in }) throws {
        random = SeededGenerator(seed: seed)
        var options = RTMPOptions()
        change(&options.broadcast)
        broadcast = RTMPBroadcast(
            to: try Self.address(), BroadcastTracks(video: .h264, sound: .opus(channels: 2)), options: options,
            seed: seed, now: .zero)
        drain()
    }

    // MARK: - Input

    static func picture(_ number: UInt32, isKeyframe: Bool, size: Int = 500) -> [UInt8] {
        var slice: [UInt8] = [isKeyframe ? 0x65 : 0x41]
        // Without zeros: nothing may resemble a start code.
        for shift in [21, 14, 7, 0] { slice.append(UInt8(number >> UInt32(shift) & 0x7F) | 0x80) }
        slice += [UInt8](repeating: 0x55, count: size)
        let sets = isKeyframe ? AnnexB.startCode + sps + AnnexB.startCode + pps : []
        return sets + AnnexB.startCode + slice
    }

    private static func number(_ sample: [UInt8]) -> UInt32? {
        guard sample.count >= 9 else { return nil }
        return sample[5..<9].reduce(0) { $0 << 7 | UInt32($1 & 0x7F) }
    }

    mutating func give(_ input: RTMPBroadcast.Input) {
        broadcast.handle(input, now: now)
        drain()
    }

    mutating func put(_ number: UInt32, isKeyframe: Bool, size: Int = 500) {
        let bytes = Self.picture(number, isKeyframe: isKeyframe, size: size)
        give(.picture(BroadcastPicture(annexB: bytes, captured: now, isKeyframe: isKeyframe)))
    }

    /// Queues a packet of sound of the given length.
    mutating func putSound(_ length: Duration = .milliseconds(20)) {
        let sample = now.nanoseconds * 48 / 1_000_000
        // Opus: CELT of 20 ms.
        give(
            .sound(
                EncodedSound(
                    encode: .thinOpus, payload: [0xFC, 1, 2, 3], mediaTime: sample,
                    frames: Int(length.nanoseconds * 48 / 1_000_000), captured: now)))
    }

    // MARK: - Time

    /// Advances the time, with all events due until then.
    mutating func run(for duration: Duration) {
        let end = now + duration
        while true {
            let arrival = arrivals.min { ($0.at, $0.order) < ($1.at, $1.order) }
            let tick = broadcast.deadline?.at
            let next = [arrival?.at, tick].compactMap { $0 }.min()
            guard let next, next <= end else { break }
            now = max(now, next)
            if let arrival, arrival.at <= now {
                arrivals.removeAll { $0.order == arrival.order }
                arrive(arrival.what, arrival.connection)
            } else {
                broadcast.tick(now: now)
                drain()
            }
        }
        now = end
        broadcast.tick(now: now)
        drain()
    }

    private mutating func later(_ duration: Duration, _ what: Arrival) {
        order += 1
        arrivals.append((now + duration, order, connection, what))
    }

    private mutating func arrive(_ what: Arrival, _ number: Int) {
        guard number == connection else { return }
        switch what {
        case .reached where !isServerUp: broadcast.handle(.link(.failed(.unreachable)), now: now)
        case .reached:
            serverAlive = true
            bytes = (0, 0)
            received.append(Received())
            _ = script?([])
            if script == nil {
                let key = serverKey.flatMap { try? StreamSecret(key: SecretBytes(Array($0.utf8))) }
                server = RTMPReceiver(
                    application: serverApplication, key: key, seed: random.next(), now: now)
            }
            broadcast.handle(.link(.connected), now: now)
        case .toServer(let bytes):
            if let script {
                for answer in script(bytes) { later(Self.latency, .toClient(answer)) }
                if hangsUp { later(.milliseconds(300), .serverGone) }
                return
            }
            server?.handle(.received(bytes), now: now)
            drainServer()
            return
        case .toClient(let bytes): broadcast.handle(.link(.received(bytes)), now: now)
        case .written(let count): broadcast.handle(.link(.written(count)), now: now)
        case .serverGone: broadcast.handle(.link(.disconnected), now: now)
        }
        drain()
    }

    private mutating func drain() {
        while let output = broadcast.poll() {
            switch output {
            case .event(let event):
                events.append(event)
                if event == .wantsKeyframe { wishes += 1 }
            case .link(.connect):
                connection += 1
                connects += 1
                heldBack = []
                later(Self.latency, .reached)
            case .link(.close):
                closes += 1
                // Earlier bytes of the connection arrive first.
                for arrival in arrivals where arrival.connection == connection {
                    if case .toServer(let bytes) = arrival.what { server?.handle(.received(bytes), now: now) }
                }
                server?.handle(.disconnected, now: now)
                drainServer()
                server = nil
                connection += 1
            case .link(.send(let bytes)):
                if isStalled { heldBack.append(bytes) } else { send(bytes) }
            }
        }
    }

    mutating func goOn() {
        isStalled = false
        let held = heldBack
        heldBack = []
        for bytes in held { send(bytes) }
    }

    private mutating func send(_ piece: [UInt8]) {
        guard serverAlive else { return }
        let left = max(0, cutsAfter.toServer - bytes.toServer)
        let whole = Array(piece.prefix(left))
        bytes.toServer += whole.count
        later(.milliseconds(1), .written(piece.count))
        var start = 0
        while start < whole.count {
            let end = min(whole.count, start + Int.random(in: 1...max(1, whole.count), using: &random))
            later(Self.latency, .toServer(Array(whole[start..<end])))
            start = end
        }
        if whole.count < piece.count || bytes.toServer >= cutsAfter.toServer { cut() }
    }

    private mutating func cut() {
        serverAlive = false
        cuts += 1
        cutsAfter = (.max, .max)
        later(Self.latency * 2, .serverGone)
    }

    private mutating func drainServer() {
        while let output = server?.poll() {
            switch output {
            case .send(let answer):
                guard serverAlive else { break }
                let whole = Array(answer.prefix(max(0, cutsAfter.toClient - bytes.toClient)))
                bytes.toClient += whole.count
                var start = 0
                while start < whole.count {
                    let end = min(whole.count, start + Int.random(in: 1...max(1, whole.count), using: &random))
                    later(Self.latency, .toClient(Array(whole[start..<end])))
                    start = end
                }
                if whole.count < answer.count || bytes.toClient >= cutsAfter.toClient { cut() }
            case .event(let event): take(event)
            case .close: later(Self.latency * 2, .serverGone)
            }
        }
    }

    private mutating func take(_ event: RTMPReceiverEvent) {
        guard let last = received.indices.last else { return }
        switch event {
        case .publishing(let application): received[last].application = application
        case .metadata(let properties): received[last].metadata = properties
        case .video(.configuration, _): received[last].configurations += 1
        case .video(.picture(_, let isKeyframe, _, let sample), let time):
            guard let number = Self.number(sample) else { break }
            received[last].pictures.append(Picture(number: number, isKeyframe: isKeyframe, time: time))
        case .video(.end, _): break
        case .sound(.packet, let time): received[last].sounds.append(time)
        case .sound(.configuration, _): break
        case .ended(let end): received[last].end = end
        }
    }

    // MARK: - Expectations

    var states: [BroadcastState] {
        events.compactMap { if case .state(let state) = $0 { state } else { nil } }
    }

    var statistics: BroadcastStatistics {
        var copy = broadcast
        return copy.statistics(now: now)
    }

    /// Streams as an encoder does: 30 pictures and 60 packets of sound a second, a keyframe each second and on request.
    /// Returns the number of pictures.
    @discardableResult
    mutating func stream(for duration: Duration, from first: UInt32 = 0, size: Int = 500) -> UInt32 {
        let end = now + duration
        var number = first
        var answered = 0
        while now < end {
            let isWished = wishes > answered
            answered = wishes
            put(number, isKeyframe: isWished || number % 30 == 0, size: size)
            number += 1
            putSound(.milliseconds(17))
            run(for: .milliseconds(17))
            putSound(.milliseconds(16))
            run(for: .milliseconds(16))
        }
        return number - first
    }
}

extension RTMPWorld.Received {
    /// Checks that each picture follows its references, and that timestamps never decrease.
    func check(_ comment: Comment? = nil) {
        var last: RTMPWorld.Picture?
        for picture in pictures {
            #expect(picture.isKeyframe || last?.number == picture.number - 1, comment)
            #expect(picture.time >= last?.time ?? 0, comment)
            last = picture
        }
        #expect(pictures.isEmpty || configurations >= 1, comment)
        #expect(pictures.first?.time ?? 0 == 0, comment)
        #expect(zip(sounds, sounds.dropFirst()).allSatisfy { $0 <= $1 }, comment)
    }
}
