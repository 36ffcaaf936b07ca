import HelioBroadcast
import HelioCore
import HelioMPEGTS
import Testing

/// An SRT sender's rules on virtual time, with a scripted connection.
struct SRTBroadcastTests {
    private static let keyframe: [UInt8] =
        [0, 0, 0, 1, 0x67, 0x42, 0xC0, 0x1E, 0xDA, 0, 0, 0, 1, 0x68, 0xCE, 0, 0, 0, 1, 0x65, 0x88, 0x80]
    private static let picture: [UInt8] = [0, 0, 0, 1, 0x41, 0x9A]
    private static let (first, second): ([UInt8], [UInt8]) = ([1], [2])

    /// A sender and its connection, which records all commands but measurements, and answers those.
    private struct Stage {
        var broadcast: SRTBroadcast
        var now = Instant(nanoseconds: 5_000_000_000)
        var commands: [SRTLinkCommand] = []
        var states: [BroadcastState] = []
        /// The measured state of the connection.
        var measurement = SRTMeasurement(.buffer)
        /// The number of bytes that the connection has accepted.
        var sent = 0
        /// True if libsrt has room for a whole unit.
        var takesUnits = true

        init(_ parameters: String = "") throws {
            var settings = BroadcastSettings()
            settings.queueAge = .milliseconds(500)
            broadcast = try SRTBroadcast(
                to: SRTAddress(parsing: "srt://127.0.0.1:9000?latency=120&\(parameters)"),
                BroadcastTracks(video: .h264), settings, now: now)
            drain()
        }

        mutating func give(_ input: SRTBroadcast.Input) {
            broadcast.handle(input, now: now)
            drain()
        }

        mutating func tell(_ event: SRTLinkEvent) { give(.link(event)) }

        private mutating func drain() {
            while let output = broadcast.poll() {
                switch output {
                case .event(.state(let state)): states.append(state)
                case .event(.wantsKeyframe): break
                case .link(.measure(let purpose)):
                    measurement.purpose = purpose
                    broadcast.handle(.link(.measured(measurement)), now: now)
                case .link(.send(let packets)):
                    commands.append(.send(packets))
                    sent += packets.count
                    if takesUnits { broadcast.handle(.link(.sent), now: now) }
                case .link(let command): commands.append(command)
                }
            }
        }

        /// Advances the time from deadline to deadline; returns false once nothing is due.
        mutating func pass(_ time: Duration) {
            let end = now + time
            while let deadline = broadcast.deadline, deadline.at <= end {
                now = max(now, deadline.at)
                broadcast.tick(now: now)
                drain()
            }
            now = end
        }

        mutating func connect() {
            tell(.resolved([first]))
            tell(.connected(latency: .milliseconds(120)))
        }

        mutating func send(_ isKeyframe: Bool = true) {
            give(
                .picture(
                    BroadcastPicture(annexB: isKeyframe ? keyframe : picture, captured: now, isKeyframe: isKeyframe)))
        }

        var units: Int { commands.count { if case .send = $0 { true } else { false } } }
        var statistics: BroadcastStatistics { mutating get { broadcast.statistics(now: now) } }
    }

    @Test("calls a host's addresses one after the other") func addresses() throws {
        var stage = try Stage()
        #expect(stage.commands == [.resolve] && stage.states == [.connecting])
        stage.tell(.resolved([Self.first, Self.second]))
        stage.tell(.rejected(1402))
        #expect(stage.commands == [.resolve, .call(Self.first), .call(Self.second)])
        // libsrt does not end this call by itself; the engine does, a second after the time-out.
        stage.pass(.milliseconds(3999))
        #expect(stage.states == [.connecting])
        stage.pass(.milliseconds(1))
        #expect(stage.states.last == .waiting(SRTFailure.unreachable.failure))
        #expect(stage.commands.last == .close)
        stage.pass(.milliseconds(500))
        #expect(stage.commands.last == .resolve && stage.states.last == .connecting)
    }

    @Test("a refusal that all addresses share is final") func refused() throws {
        var stage = try Stage()
        stage.tell(.resolved([Self.first, Self.second]))
        stage.tell(.rejected(10))
        #expect(stage.states.last == .refused(SRTFailure.badPassphrase.failure))
        #expect(stage.commands == [.resolve, .call(Self.first), .close])
        #expect(stage.broadcast.isOver && stage.broadcast.deadline == nil)
    }

    @Test("an unknown name is looked up again") func unresolved() throws {
        var stage = try Stage()
        stage.tell(.resolved([]))
        #expect(stage.states.last == .waiting(SRTFailure.unresolved.failure))
        stage.pass(.milliseconds(500))
        #expect(stage.commands == [.resolve, .close, .resolve])
    }

    @Test("a port in use is final, unless it was ours before", arguments: [false, true])
    func portInUse(hasListened: Bool) throws {
        var stage = try Stage("mode=listener")
        #expect(stage.states == [.waiting(nil)])
        stage.tell(.resolved([Self.first]))
        #expect(stage.commands == [.resolve, .listen(Self.first)])
        if hasListened {
            stage.tell(.listening)
            stage.tell(.connected(latency: .milliseconds(120)))
            stage.tell(.disconnected)
            stage.pass(.milliseconds(500))
            stage.tell(.resolved([Self.first]))
        }
        stage.tell(.failed(5010))
        let failure: SRTFailure = hasListened ? .failed(5010) : .unusable(5010)
        #expect(stage.states.last?.failure == failure.failure)
        #expect(stage.broadcast.isOver == !hasListened)
    }

    @Test("units wait while too much is in flight, and go when it is acknowledged") func allowance() throws {
        var stage = try Stage()
        stage.connect()
        stage.measurement.buffered = .milliseconds(251)
        stage.send()
        stage.pass(.milliseconds(30))
        #expect(stage.units == 0 && stage.states.last == .live)
        stage.measurement.buffered = .milliseconds(250)
        stage.pass(.milliseconds(10))
        #expect(stage.units == 1 && stage.sent.isMultiple(of: TransportStream.packetSize))
        #expect(stage.statistics.pictures == 1 && stage.statistics.drops.isEmpty)
    }

    @Test("what waits too long is dropped by whole groups and counted") func stale() throws {
        var stage = try Stage()
        stage.connect()
        stage.measurement.buffered = .seconds(1)
        stage.send()
        stage.send(false)
        stage.pass(.milliseconds(501))
        stage.measurement.buffered = .zero
        stage.pass(.milliseconds(10))
        #expect(stage.units == 0)
        #expect(stage.statistics.drops == ["broadcast-stale-picture": 2])
        stage.send()
        #expect(stage.units == 1)
    }

    @Test("one unit at a time is handed over") func oneByOne() throws {
        var stage = try Stage()
        stage.connect()
        stage.takesUnits = false
        stage.send()
        stage.send(false)
        #expect(stage.units == 1)
        stage.takesUnits = true
        stage.tell(.sent)
        #expect(stage.units == 2)
    }

    @Test("at the end all is acknowledged, and then played") func drains() throws {
        var stage = try Stage()
        stage.connect()
        stage.measurement.unacknowledged = 3
        stage.send()
        stage.give(.end)
        stage.pass(.milliseconds(200))
        #expect(stage.units == 1 && stage.commands.last != .close && !stage.broadcast.isOver)
        stage.measurement.unacknowledged = 0
        stage.pass(.milliseconds(10))
        stage.pass(.milliseconds(165))
        #expect(stage.commands.last != .close)
        stage.pass(.milliseconds(10))
        #expect(stage.commands.last == .close)
        #expect(stage.states == [.connecting, .live, .ended] && stage.broadcast.isOver)
    }

    @Test("the end waits for no longer than it may") func drainsInVain() throws {
        var stage = try Stage()
        stage.connect()
        stage.measurement.unacknowledged = 1
        stage.give(.end)
        stage.pass(.milliseconds(1990))
        #expect(!stage.broadcast.isOver)
        stage.pass(.milliseconds(10))
        #expect(stage.broadcast.isOver && stage.commands.last == .close && stage.states.last == .ended)
    }

    @Test("statistics go on over connections") func statistics() throws {
        var stage = try Stage()
        for connection: Int64 in 1...2 {
            stage.connect()
            stage.measurement.sentPackets = 10
            stage.measurement.latePackets = 1
            stage.measurement.sentBytes = 1000
            stage.measurement.rate = 5e6
            stage.pass(.seconds(1))
            let link = stage.broadcast.linkStatistics
            #expect(link.sentPackets == 10 * connection && link.latePackets == connection)
            #expect(link.rate == 5e6 && link.latency == .milliseconds(120))
            #expect(stage.statistics.sentBytes == 1000 * connection)
            stage.tell(.disconnected)
            #expect(stage.states.last == .waiting(SRTFailure.lost.failure))
            stage.pass(.seconds(1))
        }
    }

    @Test("ends at once before it is connected", arguments: ["", "mode=listener"]) func endsEarly(mode: String) throws {
        var stage = try Stage(mode)
        stage.tell(.resolved([Self.first]))
        stage.give(.end)
        #expect(stage.states.last == .ended && stage.commands.last == .close && stage.broadcast.isOver)
        stage.tell(.connected(latency: .zero))
        #expect(stage.commands.last == .close && stage.states.last == .ended)
    }
}
