import HelioBroadcast
import HelioCore
import Testing

/// A WHIP sender's rules on virtual time, with a scripted server and peer connection.
struct WHIPBroadcastTests {
    private enum Order: Equatable {
        case open(Int)
        case offer
        case post
        case delete
        case accept
        case picture(UInt64)
        case sound(UInt32, isFirst: Bool)
        case close
    }

    /// A sender with its server and peer connection.
    private struct Stage {
        var broadcast: WHIPBroadcast
        var now = Instant(nanoseconds: 5_000_000_000)
        var orders: [Order] = []
        var states: [BroadcastState] = []
        var keyframesWanted = 0
        var (queued, stale) = (Duration.zero, Duration.zero)
        /// True if the server answers requests.
        var answers = true
        var response = WHIPResponse(
            status: 201, fields: [HTTPField("Location", "/session/1"), HTTPField("Content-Type", "application/sdp")],
            body: Array("v=0".utf8))
        var agreement = WHIPAgreement(hasVideo: true, hasSound: true, profile: "42e01f")

        init(_ tracks: BroadcastTracks = BroadcastTracks(video: .h264, sound: .opus(channels: 2))) throws {
            var settings = BroadcastSettings()
            settings.connectTimeout = .seconds(30)
            broadcast = WHIPBroadcast(
                to: try WHIPAddress(parsing: "whip://h/x"), token: nil, tracks, settings, WHIPSettings(),
                gatheringTime: .seconds(2), now: now)
            drain()
        }

        mutating func give(_ input: WHIPBroadcast.Input) {
            broadcast.handle(input, now: now)
            drain()
        }

        mutating func tell(_ event: WHIPLinkEvent) { give(.link(event)) }

        private mutating func drain() {
            while let output = broadcast.poll() {
                switch output {
                case .event(.state(let state)): states.append(state)
                case .event(.wantsKeyframe): keyframesWanted += 1
                case .link(let command): obey(command)
                }
            }
        }

        private mutating func obey(_ command: WHIPLinkCommand) {
            switch command {
            case .open(let servers): orders.append(.open(servers.count))
            case .offer:
                orders.append(.offer)
                broadcast.handle(.link(.offer("v=0\r\n")), now: now)
            case .request(let request):
                orders.append(request.method == .post ? .post : .delete)
                guard answers else { return }
                let answer = request.method == .post ? response : WHIPResponse(status: 200, fields: [], body: [])
                broadcast.handle(.link(.exchange(.response(answer))), now: now)
            case .cancel: break
            case .accept:
                orders.append(.accept)
                broadcast.handle(.link(.agreed(agreement)), now: now)
            case .picture(let slice, _): orders.append(.picture(slice.frameIndex))
            case .sound(_, let timestamp, let isFirst, _): orders.append(.sound(timestamp, isFirst: isFirst))
            case .look: broadcast.handle(.link(.backlog(queued: queued, stale: stale)), now: now)
            case .measure:
                let media = BroadcastMeasurement(roundTrip: .milliseconds(9), sentBytes: 77)
                broadcast.handle(
                    .link(.measured(WHIPMeasurement(media: media, statistics: WHIPStatistics()))), now: now)
            case .close: orders.append(.close)
            }
        }

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
            tell(.opened)
            tell(.gathered)
            tell(.connected)
        }

        mutating func send(_ isKeyframe: Bool = true) {
            give(.picture(BroadcastPicture(annexB: [0, 0, 1, 0x65], captured: now, isKeyframe: isKeyframe)))
        }

        mutating func sendSound(_ sample: Int64) {
            give(
                .sound(
                    EncodedSound(encode: .thinOpus, payload: [1], mediaTime: sample, frames: 960, captured: now)))
        }

        var statistics: BroadcastStatistics { mutating get { broadcast.statistics(now: now) } }
    }

    private static func incompatible(_ why: String) -> BroadcastFailure {
        BroadcastFailure(.incompatible, "The WHIP server does not take the stream. " + why)
    }

    @Test("offers once all candidates are gathered") func gathers() throws {
        var stage = try Stage()
        #expect(stage.orders == [.open(0)])
        stage.tell(.opened)
        stage.pass(.seconds(1))
        stage.tell(.gathered)
        stage.tell(.gathered)
        #expect(stage.orders == [.open(0), .offer, .post, .accept])
        stage.tell(.connected)
        #expect(stage.states == [.connecting, .live] && stage.keyframesWanted == 1)
        stage.tell(.keyframeNeeded)
        #expect(stage.keyframesWanted == 2)
    }

    @Test("offers without those candidates that take too long") func gathersTooLong() throws {
        var stage = try Stage()
        stage.tell(.opened)
        stage.pass(.milliseconds(1999))
        #expect(stage.orders == [.open(0)])
        stage.pass(.milliseconds(1))
        #expect(stage.orders == [.open(0), .offer, .post, .accept])
    }

    @Test("what the answer lacks is final, but sound beside a picture") func agreement() throws {
        var withoutVideo = try Stage()
        withoutVideo.agreement.hasVideo = false
        withoutVideo.connect()
        #expect(
            withoutVideo.states.last == .refused(Self.incompatible("It has no codec in common with the picture.")))
        #expect(withoutVideo.orders.suffix(3) == [.accept, .close, .delete])
        #expect(withoutVideo.broadcast.isOver)

        var withoutSound = try Stage()
        withoutSound.agreement.hasSound = false
        withoutSound.connect()
        withoutSound.send()
        withoutSound.sendSound(0)
        #expect(withoutSound.orders.last == .picture(0) && withoutSound.states.last == .live)
        #expect(withoutSound.statistics.drops == ["broadcast-unsuitable": 1])

        var soundAlone = try Stage(BroadcastTracks(video: nil, sound: .opus(channels: 2)))
        soundAlone.agreement.hasSound = false
        soundAlone.connect()
        #expect(soundAlone.states.last == .refused(Self.incompatible("It does not take Opus.")))
    }

    @Test("an answer that can't be applied is final") func unusable() throws {
        var stage = try Stage()
        stage.answers = false
        stage.tell(.opened)
        stage.tell(.gathered)
        stage.answers = true
        stage.tell(.unusable("bad line"))
        #expect(stage.orders.suffix(2) == [.post, .close])
        // The server may have created a session: its late answer has the location.
        stage.tell(.exchange(.response(stage.response)))
        #expect(stage.orders.last == .delete)
        #expect(stage.states.last == .refused(Self.incompatible("Its answer can't be used: bad line.")))
    }

    @Test("no way to the media is tried again, and called lost if there was one", arguments: [false, true])
    func noPath(wasConnected: Bool) throws {
        var stage = try Stage()
        stage.tell(.opened)
        stage.tell(.gathered)
        if wasConnected { stage.tell(.connected) }
        stage.tell(.lost(.noPath))
        #expect(stage.states.last?.failure?.kind == (wasConnected ? .lost : .unreachable))
        #expect(stage.orders.suffix(2) == [.close, .delete])
        stage.pass(.milliseconds(500))
        #expect(stage.orders.last == .open(0) && stage.states.last == .connecting)
    }

    @Test("the servers that an answer names are for the next session") func servers() throws {
        var stage = try Stage()
        stage.response.fields.append(HTTPField("Link", "<stun:192.0.2.1:3478>; rel=\"ice-server\""))
        stage.connect()
        stage.tell(.lost(.silent))
        stage.pass(.milliseconds(500))
        #expect(stage.orders.last == .open(1))
    }

    @Test("units wait while the queue is long, and have the times of their media") func room() throws {
        var stage = try Stage()
        stage.connect()
        stage.stale = .milliseconds(101)
        stage.send()
        stage.pass(.milliseconds(20))
        stage.sendSound(0)
        stage.pass(.milliseconds(20))
        #expect(stage.orders.last == .accept)
        stage.stale = .milliseconds(100)
        stage.pass(.milliseconds(10))
        #expect(stage.orders.suffix(2) == [.picture(0), .sound(960, isFirst: true)])
        stage.send(false)
        #expect(stage.orders.last == .picture(1) && stage.statistics.drops.isEmpty)
    }

    @Test("at the end the queue empties, and requests for lost packets are answered") func drains() throws {
        var stage = try Stage()
        stage.connect()
        stage.send()
        stage.queued = .milliseconds(50)
        stage.give(.end)
        stage.pass(.milliseconds(100))
        #expect(stage.orders.last == .picture(0))
        stage.queued = .zero
        stage.pass(.milliseconds(10))
        stage.pass(.milliseconds(139))
        #expect(stage.orders.last == .picture(0) && !stage.broadcast.isOver)
        stage.pass(.milliseconds(11))
        #expect(stage.orders.suffix(2) == [.close, .delete])
        #expect(stage.states.last == .ended && stage.broadcast.isOver && stage.broadcast.deadline == nil)
    }

    @Test("the queue may take 0.7 s to empty, and the server 1.5 s to answer the end") func drainsInVain() throws {
        var stage = try Stage()
        stage.connect()
        stage.queued = .milliseconds(50)
        stage.answers = false
        stage.give(.end)
        stage.pass(.milliseconds(849))
        #expect(stage.orders.last == .accept)
        stage.pass(.milliseconds(1))
        #expect(stage.orders.suffix(2) == [.close, .delete])
        stage.pass(.milliseconds(1499))
        // The time-out of the end has passed, and its event was reported.
        #expect(stage.states.last == .ended && !stage.broadcast.isOver)
        stage.pass(.milliseconds(1))
        #expect(stage.broadcast.isOver)
    }

    @Test("ends before the peer connection is made") func endsEarly() throws {
        var stage = try Stage()
        stage.give(.end)
        #expect(stage.orders == [.open(0), .close] && stage.broadcast.isOver)
        stage.tell(.opened)
        stage.tell(.connected)
        #expect(stage.orders == [.open(0), .close] && stage.states == [.connecting, .ended])
    }

    @Test("statistics are those of the present session") func statistics() throws {
        var stage = try Stage()
        stage.connect()
        stage.pass(.milliseconds(500))
        #expect(stage.broadcast.linkStatistics.profile == "42e01f" && stage.broadcast.linkStatistics.hasSound)
        #expect(stage.statistics.roundTrip == .milliseconds(9) && stage.statistics.sentBytes == 77)
        stage.tell(.lost(.ended))
        #expect(stage.broadcast.linkStatistics == WHIPStatistics() && stage.statistics.roundTrip == nil)
    }
}
