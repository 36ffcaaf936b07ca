import HelioCore
import HelioRelay
import HelioRelayWire
import Testing

@Suite("The app's end of the relay")
struct AppRelayTests {
    private static let format = RelayFormat(codec: .h264, size: PixelSize(width: 720, height: 1280))
    private static let one = ConnectionID(1)
    private static let two = ConnectionID(2)

    private static let keyframe: [RelayMessage] = [
        .pictureBegins(captured: .zero, isKeyframe: true), .nalUnit([0, 0, 0, 1] + TestPicture.sps),
        .nalUnit([0, 0, 0, 1] + TestPicture.pps), .nalUnit([0, 0, 0, 1, 0x65, 1]), .pictureEnds,
    ]
    private static let picture: [RelayMessage] = [
        .pictureBegins(captured: .zero, isKeyframe: false), .nalUnit([0, 0, 0, 1, 0x41, 2]), .pictureEnds,
    ]

    private static func bytes(_ messages: [RelayMessage]) -> [UInt8] { messages.flatMap { $0.serialised() } }

    private static func drain(_ app: inout AppRelay) -> [AppRelay.Output] {
        var outputs: [AppRelay.Output] = []
        while let output = app.poll() { outputs.append(output) }
        return outputs
    }

    private static func events(_ outputs: [AppRelay.Output]) -> [AppRelayEvent] {
        outputs.compactMap { if case .event(let event) = $0 { event } else { nil } }
    }

    private static func joined(_ settings: AppRelaySettings = AppRelaySettings()) -> AppRelay {
        var app = AppRelay(settings: settings, now: .zero)
        app.handle(.connected(one), now: .zero)
        app.handle(.received(one, bytes([.hello(version: 1), .format(format)])), now: .zero)
        _ = drain(&app)
        return app
    }

    @Test("the whole dialogue") func dialogue() {
        var app = AppRelay(now: .zero)
        app.handle(.connected(Self.one), now: .zero)
        #expect(Self.drain(&app).isEmpty && !app.hasExtension)
        app.handle(.received(Self.one, Self.bytes([.hello(version: 1), .format(Self.format)])), now: .zero)
        #expect(
            Self.drain(&app) == [
                .send(Self.one, RelayMessage.welcome(version: 1).serialised()), .event(.joined),
                .event(.format(Self.format)),
            ])
        app.handle(.requestKeyframe, now: .zero)
        #expect(Self.drain(&app) == [.send(Self.one, RelayMessage.keyframeRequest.serialised())])
        app.handle(.received(Self.one, Self.bytes(Self.keyframe + Self.picture + [.end(.finished)])), now: .zero)
        let annexB = [0, 0, 0, 1] + TestPicture.sps + [0, 0, 0, 1] + TestPicture.pps + [0, 0, 0, 1, 0x65, 1]
        #expect(
            Self.drain(&app) == [
                .event(
                    .picture(
                        RelayedPicture(
                            codec: .h264, annexB: annexB, captured: .zero, isKeyframe: true, frameIndex: 0))),
                .event(
                    .picture(
                        RelayedPicture(
                            codec: .h264, annexB: [0, 0, 0, 1, 0x41, 2], captured: .zero, isKeyframe: false,
                            frameIndex: 1))),
                .close(Self.one), .event(.left(nil)),
            ])
        #expect(app.deadline == nil && app.statistics.drops.total == 0)
    }

    /// A whole session cut at each of its bytes: complete messages are processed, nothing else, and the next session is
    /// unaffected.
    @Test("a connection that ends at any byte") func everyEnd() {
        let sound = RelayMessage.sound(
            RelaySound(origin: .microphone, codec: .opus, format: .standard, captured: .zero, payload: [1, 2]))
        let messages =
            [.hello(version: 1), .format(Self.format)] + Self.keyframe + [sound] + Self.picture + [.end(.finished)]
        let stream = Self.bytes(messages)
        var whole = AppRelay(now: .zero)
        whole.handle(.connected(Self.one), now: .zero)
        whole.handle(.received(Self.one, stream), now: .zero)
        let all = Self.events(Self.drain(&whole))
        #expect(all.count == 6)
        for count in 0...stream.count {
            var app = AppRelay(now: .zero)
            app.handle(.connected(Self.one), now: .zero)
            app.handle(.received(Self.one, Array(stream[..<count])), now: .zero)
            app.handle(.closed(Self.one), now: .zero)
            var events = Self.events(Self.drain(&app))
            if count < stream.count, !events.isEmpty { #expect(events.removeLast() == .vanished) }
            #expect(events == Array(all.prefix(events.count)), "\(count) bytes")
            #expect(app.bufferedByteCount == 0 && app.deadline == nil && !app.hasExtension)
            // In two pieces, behind earlier data.
            app.handle(.connected(Self.two), now: .zero)
            app.handle(.received(Self.two, Array(stream[..<count])), now: .zero)
            app.handle(.received(Self.two, Array(stream[count...])), now: .zero)
            let again = Self.events(Self.drain(&app))
            #expect(again.count == all.count && again.last == .left(nil))
            #expect(app.statistics.drops.total == 0)
        }
    }

    @Test(
        "what is no message, or comes when it makes no sense, ends its session by name and no other",
        arguments: [
            ([UInt8]("GET / HTTP/1.1".utf8), AppRelayDrop.wrongPrefix),
            ([0x26, 0xFF, 0, 0, 0], .wrongLength),
            (RelayMessage.welcome(version: 1).serialised(), .unexpectedKind),
            ([0x26, 0, 0, 0, 2, 7, 9], .malformed),
            (RelayMessage.heartbeat.serialised(), .outOfOrder),
            (RelayMessage.pictureEnds.serialised(), .outOfOrder),
            (RelayMessage.hello(version: 0).serialised(), .version),
        ])
    func strangers(junk: [UInt8], drop: AppRelayDrop) {
        var app = Self.joined()
        app.handle(.connected(Self.two), now: .zero)
        app.handle(.received(Self.two, junk), now: .zero)
        let outputs = Self.drain(&app)
        #expect(outputs.last == .close(Self.two) && Self.events(outputs).isEmpty)
        #expect(app.statistics.drops[drop] == 1 && app.statistics.drops.total == 1)
        #expect(app.hasExtension && app.knows(Self.one) && !app.knows(Self.two))
        // Bytes after the end belong to no connection.
        app.handle(.received(Self.two, junk), now: .zero)
        #expect(Self.drain(&app).isEmpty && app.statistics.drops.total == 1)
    }

    @Test(
        "an extension that breaks the order ends its session, by name",
        arguments: [
            ([RelayMessage.hello(version: 1)], AppRelayDrop.outOfOrder),
            ([.nalUnit([0, 0, 0, 1, 0x41])], .outOfOrder),
            ([.pictureEnds], .outOfOrder),
            (
                [
                    .pictureBegins(captured: .zero, isKeyframe: false), .nalUnit([0, 0, 0, 1, 0x41]), .format(format),
                    .pictureEnds,
                ], .outOfOrder
            ),
        ])
    func outOfOrder(messages: [RelayMessage], drop: AppRelayDrop) {
        var app = Self.joined()
        app.handle(.received(Self.one, Self.bytes(messages)), now: .zero)
        let outputs = Self.drain(&app)
        #expect(Array(outputs.suffix(2)) == [.close(Self.one), .event(.left(drop))])
        #expect(app.hasExtension == false)
    }

    @Test("pictures need a format") func noFormat() {
        var app = AppRelay(now: .zero)
        app.handle(.connected(Self.one), now: .zero)
        app.handle(.received(Self.one, Self.bytes([.hello(version: 1)] + Self.keyframe)), now: .zero)
        #expect(Self.events(Self.drain(&app)) == [.joined, .left(.outOfOrder)])
    }

    @Test("what can't be decoded is not given out, and a keyframe is asked for") func undecodable() {
        let request = AppRelay.Output.send(Self.one, RelayMessage.keyframeRequest.serialised())
        var app = Self.joined()
        app.handle(.received(Self.one, Self.bytes(Self.picture)), now: .zero)
        #expect(Self.drain(&app) == [request])
        // A keyframe without its parameter sets, whatever its header claims.
        app.handle(.received(Self.one, Self.bytes([Self.keyframe[0], Self.keyframe[3], .pictureEnds])), now: .zero)
        #expect(Self.drain(&app) == [request])
        app.handle(.received(Self.one, Self.bytes(Self.keyframe)), now: .zero)
        #expect(Self.events(Self.drain(&app)).count == 1)
        // Parameter sets alone are no picture; later frames may still refer to the last one.
        app.handle(.received(Self.one, Self.bytes(Array(Self.keyframe[0...2]) + [.pictureEnds])), now: .zero)
        #expect(Self.drain(&app) == [request])
        #expect(app.statistics.drops[.pictureBroken] == 3)
        // A picture that the next one cuts short.
        app.handle(.received(Self.one, Self.bytes(Self.keyframe)), now: .zero)
        #expect(Self.events(Self.drain(&app)).count == 1)
        app.handle(.received(Self.one, Self.bytes([Self.picture[0], Self.picture[1]] + Self.picture)), now: .zero)
        #expect(Self.drain(&app) == [request])
        #expect(app.statistics.drops[.pictureIncomplete] == 1 && app.statistics.drops[.pictureBroken] == 4)
    }

    @Test("whether it is a keyframe is found, not believed") func keyframes() {
        var app = Self.joined()
        var messages = Self.keyframe
        messages[0] = .pictureBegins(captured: .zero, isKeyframe: false)
        app.handle(.received(Self.one, Self.bytes(messages)), now: .zero)
        guard case .picture(let picture)? = Self.events(Self.drain(&app)).first else {
            Issue.record("no picture")
            return
        }
        #expect(picture.isKeyframe)
    }

    @Test("a picture is bounded in bytes and in NAL units", arguments: [(100_000, 4), (10, 5000)])
    func pictureBounds(size: Int, count: Int) {
        var settings = AppRelaySettings()
        settings.pictureBytes = 300_000
        var app = Self.joined(settings)
        let unit = RelayMessage.nalUnit([0, 0, 0, 1] + [UInt8](repeating: 0x41, count: size)).serialised()
        app.handle(.received(Self.one, Self.keyframe[0].serialised()), now: .zero)
        for _ in 0..<count { app.handle(.received(Self.one, unit), now: .zero) }
        #expect(Self.drain(&app) == [.close(Self.one), .event(.left(.pictureTooLarge))])
        #expect(app.bufferedByteCount == 0)
    }

    @Test("a new extension takes the place of the old, which is told so") func replaces() {
        var app = Self.joined()
        app.handle(.connected(Self.two), now: .zero)
        #expect(app.hasExtension && Self.drain(&app).isEmpty)
        app.handle(.received(Self.two, Self.bytes([.hello(version: 1), .format(Self.format)])), now: .zero)
        #expect(
            Self.drain(&app) == [
                .send(Self.one, RelayMessage.end(.replaced).serialised()), .close(Self.one),
                .event(.left(.replaced)), .send(Self.two, RelayMessage.welcome(version: 1).serialised()),
                .event(.joined), .event(.format(Self.format)),
            ])
        #expect(app.statistics.extensions == 2)
    }

    @Test("later versions are welcomed with this one") func laterVersion() {
        var app = AppRelay(now: .zero)
        app.handle(.connected(Self.one), now: .zero)
        app.handle(.received(Self.one, RelayMessage.hello(version: 9).serialised()), now: .zero)
        #expect(Self.drain(&app).first == .send(Self.one, RelayMessage.welcome(version: 2).serialised()))
    }

    @Test("connections are bounded") func connections() {
        var app = AppRelay(now: .zero)
        for id in UInt64(0)..<20 { app.handle(.connected(ConnectionID(id)), now: .zero) }
        #expect(Self.drain(&app) == (UInt64(8)..<20).map { .close(ConnectionID($0)) })
        #expect(app.statistics.drops[.tooMany] == 12)
    }

    /// The receive time-out of row 135.
    @Test("whoever is silent for 10 s is gone") func silence() throws {
        var app = Self.joined()
        app.handle(.connected(Self.two), now: .zero + .seconds(5))
        var now = Instant.zero
        var heartbeats = 0
        var closed: [Int64: [ConnectionID]] = [:]
        while let deadline = app.deadline, now < .zero + .seconds(60) {
            now = deadline.at
            app.tick(now: now)
            for output in Self.drain(&app) {
                if case .send = output { heartbeats += 1 }
                if case .close(let id) = output { closed[now.nanoseconds / 1_000_000_000, default: []].append(id) }
            }
        }
        #expect(closed == [10: [Self.one], 15: [Self.two]])
        #expect(app.statistics.drops[.silent] == 2)
        #expect((39...40).contains(heartbeats))
    }

    @Test("signs of life go before what waits to be taken: who is slow with pictures is not gone") func signsOfLife() {
        var app = Self.joined()
        app.handle(.received(Self.one, Self.bytes(Self.keyframe + Self.picture + Self.picture)), now: .zero)
        app.tick(now: .zero + .milliseconds(250))
        let outputs = Self.drain(&app)
        #expect(outputs.first == .send(Self.one, RelayMessage.heartbeat.serialised()))
        #expect(Self.events(outputs).count == 3)
    }

    @Test("instants that can't be are taken for the nearest that can") func instants() {
        let now = Instant.zero + .seconds(100)
        for (told, taken) in [
            (Int64.max, now), (Int64.min, now - .seconds(10)), (0, now - .seconds(10)),
            (95_000_000_000, Instant(nanoseconds: 95_000_000_000)),
        ] {
            var app = AppRelay(now: now)
            app.handle(.connected(Self.one), now: now)
            var messages = Self.keyframe
            messages[0] = .pictureBegins(captured: Instant(nanoseconds: told), isKeyframe: true)
            app.handle(
                .received(Self.one, Self.bytes([.hello(version: 1), .format(Self.format)] + messages)), now: now)
            guard case .picture(let picture)? = Self.events(Self.drain(&app)).last else {
                Issue.record("no picture")
                continue
            }
            #expect(picture.captured == taken)
        }
    }

    @Test("an app that takes no more tells everybody, and lets nobody in") func ends() {
        var app = Self.joined()
        app.handle(.connected(Self.two), now: .zero)
        app.handle(.end, now: .zero)
        let farewell = RelayMessage.end(.finished).serialised()
        #expect(
            Self.drain(&app) == [
                .send(Self.one, farewell), .close(Self.one), .event(.left(nil)), .send(Self.two, farewell),
                .close(Self.two),
            ])
        app.handle(.connected(ConnectionID(3)), now: .zero)
        #expect(Self.drain(&app).isEmpty && app.deadline == nil)
    }

    @Test("what is wanted is told to the extension that is there and to the next ones, if they know of wishes")
    func wishes() {
        var app = AppRelay(now: .zero)
        let wish = RelayWish(bitrate: 1, largest: PixelSize(width: 16, height: 16))
        let told = RelayMessage.wish(wish).serialised()
        // Without a connection first, then with a new extension.
        app.handle(.wish(wish), now: .zero)
        #expect(Self.drain(&app).isEmpty)
        app.handle(.connected(Self.one), now: .zero)
        app.handle(.received(Self.one, Self.bytes([.hello(version: 1)])), now: .zero)
        #expect(Self.drain(&app) == [.send(Self.one, RelayMessage.welcome(version: 1).serialised()), .event(.joined)])
        app.handle(.connected(Self.two), now: .zero)
        app.handle(.received(Self.two, Self.bytes([.hello(version: 2)])), now: .zero)
        #expect(
            Self.drain(&app).suffix(3) == [
                .send(Self.two, RelayMessage.welcome(version: 2).serialised()), .send(Self.two, told), .event(.joined),
            ])
        // A repeated wish, and invalid ones.
        app.handle(.wish(wish), now: .zero)
        app.handle(.wish(RelayWish(bitrate: 0)), now: .zero)
        app.handle(.wish(RelayWish(largest: PixelSize(width: 0, height: 16))), now: .zero)
        #expect(Self.drain(&app).isEmpty)
        app.handle(.wish(RelayWish()), now: .zero)
        #expect(Self.drain(&app) == [.send(Self.two, RelayMessage.wish(RelayWish()).serialised())])
    }

    @Test("an extension that sends a wish is no extension") func wishOfExtension() {
        var app = Self.joined()
        app.handle(.received(Self.one, Self.bytes([.wish(RelayWish())])), now: .zero)
        #expect(Self.drain(&app) == [.close(Self.one), .event(.left(.unexpectedKind))])
    }
}
