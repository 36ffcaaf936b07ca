import HelioBroadcast
import HelioCore

/// Runs a broadcast with a driver and media that the fuzzer's bytes control, and checks its invariants.
struct BroadcastRun {
    private var broadcast: Broadcast
    private var now = Instant.zero
    private var state: BroadcastState
    private var isConnecting = false
    private var isConnected = false
    /// True once the end was requested.
    private var isEnding = false
    private var picture: UInt32 = 0
    private var expected: UInt32?
    private var sample: Int64 = 0
    private var (lastPicture, lastSound) = (Duration.nanoseconds(-1), Duration.nanoseconds(-1))
    private var (put, taken, unsuitable) = (0, 0, 0)

    init(_ choice: UInt8) {
        var settings = BroadcastSettings()
        settings.queueAge = .milliseconds(500)
        settings.queueBytes = 20000
        settings.stallLimit = .seconds(3)
        settings.connectTimeout = choice & 1 == 0 ? .seconds(2) : nil
        let tracks = BroadcastTracks(
            video: choice & 6 == 6 ? nil : .h264, sound: choice & 8 == 0 ? .opus(channels: 2) : nil)
        broadcast = Broadcast(tracks, settings, now: now)
        state = settings.connectTimeout == nil ? .waiting(nil) : .connecting
        drain()
    }

    mutating func step(_ what: UInt8, _ argument: Int) {
        switch what & 15 {
        case 0, 1, 2, 3:
            picture += 1
            var bytes = [UInt8](repeating: 0, count: 4 + argument * 20)
            for index in 0..<4 { bytes[index] = UInt8(truncatingIfNeeded: picture >> UInt32(24 - index * 8)) }
            // The capture time of some pictures is earlier or later than now.
            let captured = now + .milliseconds(what & 16 == 0 ? 0 : argument * 8 - 1024)
            put += 1
            broadcast.handle(
                .picture(BroadcastPicture(annexB: bytes, captured: captured, isKeyframe: what & 3 == 0)), now: now)
        case 4, 5:
            sample = sample &+ (what & 16 == 0 ? 960 : Int64(argument) << (argument & 31) - 4096)
            put += 1
            broadcast.handle(
                .sound(
                    EncodedSound(
                        encode: what & 32 == 0 ? .thinOpus : .aac, payload: [UInt8](repeating: 0, count: argument),
                        mediaTime: sample, frames: 960, captured: now - .milliseconds(argument))), now: now)
        case 6, 7, 8: take(argument & 15)
        case 9: now = now + .milliseconds(argument * 10)
        case 10: if isConnecting { connect() }
        case 11: disconnect(BroadcastFailure(.lost, "It is lost."))
        case 12:
            switch argument & 15 {
            case 0: disconnect(BroadcastFailure(.unauthorized, "It says no."))
            case 1: broadcast.handle(.wantsKeyframe, now: now)
            case 2:
                var busy = BroadcastFailure(.busy, "It has no room.")
                busy.retryAfter = .seconds(argument)
                disconnect(busy)
            default: break
            }
        case 13:
            broadcast.handle(
                .measured(BroadcastMeasurement(roundTrip: .milliseconds(argument), sentBytes: Int64(argument) << 40)),
                now: now)
        case 14:
            if argument == 0 {
                isEnding = true
                broadcast.handle(.end, now: now)
            }
        default: broadcast.tick(now: now)
        }
        drain()
        let statistics = broadcast.statistics(now: now)
        precondition(statistics.state == state, "a state was not told")
        precondition(statistics.dropped + taken <= put + unsuitable, "a unit is sent and counted")
        precondition(!statistics.line.isEmpty)
    }

    mutating func end() {
        broadcast.handle(.end, now: now)
        isEnding = true
        drain()
        // A driver that obeys the deadlines must reach the end.
        var steps = 0
        while !broadcast.isOver {
            if isConnecting { connect() }
            take(1000)
            if let at = broadcast.deadline?.at { now = max(now, at) }
            broadcast.tick(now: now)
            drain()
            steps += 1
            precondition(steps < 100, "no end comes")
        }
        precondition(state.isFinal && broadcast.deadline == nil)
        precondition(
            broadcast.statistics(now: now).dropped + taken == put + unsuitable, "a unit is neither sent nor counted")
    }

    private mutating func take(_ count: Int) {
        for _ in 0..<count {
            guard let unit = broadcast.next(now: now) else { break }
            precondition(isConnected, "a unit without a connection")
            taken += 1
            if unit.kind == .sound {
                precondition(unit.time > lastSound, "sound goes back")
                lastSound = unit.time
            } else {
                let number = unit.bytes.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
                precondition(unit.kind == .keyframe || number == expected, "a picture without one that it needs")
                precondition(unit.time > lastPicture, "a picture goes back")
                expected = number + 1
                lastPicture = unit.time
            }
        }
        drain()
    }

    private mutating func connect() {
        isConnecting = false
        isConnected = true
        expected = nil
        (lastPicture, lastSound) = (.nanoseconds(-1), .nanoseconds(-1))
        broadcast.handle(.connected, now: now)
        drain()
    }

    private mutating func disconnect(_ failure: BroadcastFailure) {
        guard isConnecting || isConnected else { return }
        (isConnecting, isConnected) = (false, false)
        broadcast.handle(.disconnected(failure), now: now)
        drain()
    }

    /// Executes the broadcast's outputs, and checks them.
    private mutating func drain() {
        while let output = broadcast.poll() {
            precondition(!state.isFinal, "something follows the end")
            switch output {
            case .connect:
                precondition(!isConnecting && !isConnected, "a second connection")
                isConnecting = true
            case .disconnect:
                precondition(isConnecting || isConnected, "no connection to close")
                disconnect(BroadcastFailure(.lost, "It is closed."))
            case .event(.state(let next)):
                precondition(
                    !isEnding || next.isFinal || next == .live || next == .stalled, "it begins again at the end")
                state = next
            case .event(.wantsKeyframe): precondition(isConnected, "a keyframe for nobody")
            }
        }
    }
}
