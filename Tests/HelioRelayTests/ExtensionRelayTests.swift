import HelioCore
import HelioRelay
import HelioRelayWire
import Testing

@Suite("The extension's end of the relay")
struct ExtensionRelayTests {
    private static func connected(_ settings: ExtensionRelaySettings = ExtensionRelaySettings()) -> RelayWorld {
        var world = RelayWorld(settings: settings)
        world.run(.milliseconds(1))
        precondition(world.isConnected)
        world.forget()
        return world
    }

    @Test("it connects, is welcomed, and asks its encoder for a keyframe") func connects() {
        var world = RelayWorld()
        world.run(.milliseconds(1))
        #expect(world.isConnected == true)
        #expect(world.takeSourceEvents() == [.connected, .keyframeNeeded])
        #expect(
            world.takeAppEvents() == [
                .joined, .format(RelayFormat(codec: .h264, size: PixelSize(width: 720, height: 1280))),
            ])
    }

    @Test("pictures and sound come out as they went in, in their order") func order() throws {
        var world = Self.connected()
        world.give(.slice(TestPicture.slice(0, isKeyframe: true, captured: Instant(nanoseconds: 7))))
        let app = RelaySound(
            origin: .system, codec: .pcm, format: .standard, captured: Instant(nanoseconds: 8), payload: [1, 2, 3, 4])
        var microphone = app
        microphone.origin = .microphone
        world.give(.sound(app))
        world.give(.slice(TestPicture.slice(1, slice: 0, of: 2)))
        world.give(.sound(microphone))
        world.give(.slice(TestPicture.slice(1, slice: 1, of: 2)))
        let events = world.takeAppEvents()
        try #require(events.count == 4)
        guard case .picture(let first) = events[0], case .picture(let second) = events[3] else {
            Issue.record("\(events)")
            return
        }
        #expect(first.isKeyframe && first.captured == Instant(nanoseconds: 7) && first.frameIndex == 0)
        #expect(first.annexB == TestPicture.slice(0, isKeyframe: true).annexB)
        #expect(events[1] == .sound(app) && events[2] == .sound(microphone))
        #expect(!second.isKeyframe && second.frameIndex == 1)
        #expect(TestPicture.labels(second.annexB)?.map(\.slice) == [0, 1])
        #expect(world.source.statistics.pictures == 2 && world.source.statistics.sounds == 2)
        #expect(world.source.waitingBytes == 0)
    }

    /// Row 138.
    @Test("SPS, PPS and each NAL unit are messages of their own, behind start codes of 4 bytes") func messages() throws
    {
        var source = ExtensionRelay(
            format: RelayFormat(codec: .h264, size: PixelSize(width: 16, height: 16)), random: SeededGenerator(seed: 1),
            now: .zero)
        var reader = RelayReader(from: .broadcastExtension)
        var messages: [RelayMessage] = []
        func drain(_ source: inout ExtensionRelay) throws {
            while let output = source.poll() {
                if case .connect = output { source.handle(.connected, now: .zero) }
                guard case .send(let bytes) = output else { continue }
                reader.append(bytes)
                while let message = try reader.next() { messages.append(message) }
                source.handle(.sent, now: .zero)
            }
        }
        source.tick(now: .zero)
        try drain(&source)
        source.handle(.received(RelayMessage.welcome(version: 1).serialised()), now: .zero)
        // The input has 3-byte start codes as well.
        var slice = TestPicture.slice(0, isKeyframe: true)
        slice.annexB = [0, 0, 1] + TestPicture.sps + [0, 0, 0, 1] + TestPicture.pps + [0, 0, 1, 0x65, 9]
        source.handle(.slice(slice), now: .zero)
        try drain(&source)
        #expect(
            messages == [
                .hello(version: 2), .format(RelayFormat(codec: .h264, size: PixelSize(width: 16, height: 16))),
                .pictureBegins(captured: .zero, isKeyframe: true), .nalUnit([0, 0, 0, 1] + TestPicture.sps),
                .nalUnit([0, 0, 0, 1] + TestPicture.pps), .nalUnit([0, 0, 0, 1, 0x65, 9]), .pictureEnds,
            ])
    }

    /// Row 142.
    @Test("parameter sets come before every keyframe, once the encoder has given them", arguments: [false, true])
    func parameterSets(heard: Bool) throws {
        var world = RelayWorld()
        world.listens = heard
        world.run(.milliseconds(1))
        world.give(.slice(TestPicture.slice(0, isKeyframe: true)))
        world.listens = true
        let isBack = world.run(atMost: .seconds(2)) { $0.isConnected }
        #expect(isBack)
        world.forget()
        var slice = TestPicture.slice(1, isKeyframe: true, parameterSets: false)
        // An access unit delimiter stays in front.
        slice.annexB = [0, 0, 0, 1, 0x09, 0xF0] + slice.annexB
        world.give(.slice(slice))
        let pictures = world.pictures
        let picture = try #require(pictures.first)
        let kinds = TestPicture.units(picture.annexB).map { $0[0] }
        #expect(kinds == [0x09, 0x67, 0x68, 0x65])
    }

    @Test("a keyframe whose parameter sets nobody gave is none") func noParameterSets() {
        var world = Self.connected()
        world.give(.slice(TestPicture.slice(0, isKeyframe: true, parameterSets: false)))
        #expect(world.pictures.isEmpty == true)
        #expect(world.source.statistics.drops[.pictureMalformed] == 1)
        #expect(world.takeSourceEvents() == [.keyframeNeeded])
    }

    @Test("a socket that closes is found at once, and connected to again") func closes() {
        var world = Self.connected()
        world.give(.slice(TestPicture.slice(0, isKeyframe: true)))
        world.killApp()
        #expect(world.takeSourceEvents() == [.lost(.closed)])
        world.run(.seconds(5))
        world.give(.slice(TestPicture.slice(1)))
        #expect(world.source.statistics.drops[.pictureUnheard] == 1)
        world.listens = true
        let isBack = world.run(atMost: .milliseconds(1200)) { $0.isConnected }
        #expect(isBack)
        #expect(world.takeSourceEvents() == [.connected, .keyframeNeeded])
        world.forget()
        // Only a keyframe can follow.
        world.give(.slice(TestPicture.slice(2)))
        #expect(world.pictures.isEmpty == true)
        world.give(.slice(TestPicture.slice(3, isKeyframe: true)))
        #expect(world.pictures.count == 1)
        #expect(world.source.statistics.connections == 2 && world.source.statistics.losses == 1)
    }

    @Test("tries come at growing distances, of at most 1.2 s") func tries() {
        var world = RelayWorld()
        world.listens = false
        world.run(.seconds(1))
        #expect((3...6).contains(world.tries))
        let before = world.tries
        world.run(.seconds(10))
        #expect((8...12).contains(world.tries - before))
    }

    @Test("an app that has vanished without a word is found within a second") func vanishes() {
        var world = Self.connected()
        world.run(.seconds(3))
        #expect(world.isConnected == true)
        world.appLives = false
        var number = 0
        let isFound = world.run(atMost: .seconds(1)) { $0.source.isOpen == false }
        #expect(isFound)
        #expect(world.takeSourceEvents() == [.lost(.silent)])
        // It stays closed while the socket accepts connections but nobody reads.
        world.run(.seconds(5))
        #expect(world.source.isOpen == false)
        for _ in 0..<100 {
            world.give(.slice(TestPicture.slice(number, isKeyframe: true, padding: 10_000)))
            number += 1
        }
        #expect(world.source.waitingBytes < 100)
        world.app = AppRelay(now: world.now)
        world.appLives = true
        let isBack = world.run(atMost: .milliseconds(2200)) { $0.isConnected }
        #expect(isBack)
    }

    @Test("an app that takes nothing, though it lives, is given up after 10 s") func sendTimeout() {
        var world = Self.connected()
        world.readRate = 0
        world.give(.slice(TestPicture.slice(0, isKeyframe: true, padding: 10_000)))
        world.run(.seconds(9))
        // The app sends keep-alives all the time.
        #expect(world.source.isOpen == true)
        world.run(.milliseconds(1001))
        #expect(world.takeSourceEvents().contains(.lost(.sendTimeout)))
        #expect(world.source.statistics.drops[.pictureLost] == 1)
    }

    /// A relay's guarantee: bounded memory, since an extension has 50 MB in total.
    @Test("a slow app costs frames, never memory", arguments: [0, 20_000, 200_000])
    func slow(rate: Int) throws {
        var settings = ExtensionRelaySettings()
        settings.pictureBytes = 100_000
        var world = Self.connected(settings)
        world.readRate = rate
        var random = SeededGenerator(seed: 5)
        var needsKeyframe = true
        var offered = 0
        // 9 s of 60 pictures a second, 600 kB/s, and keyframes of 40 kB.
        for number in 0..<540 {
            if world.takeSourceEvents().contains(.keyframeNeeded) { needsKeyframe = true }
            let padding = needsKeyframe ? 40_000 : Int.random(in: 5000...15_000, using: &random)
            world.give(
                .slice(TestPicture.slice(number, isKeyframe: needsKeyframe, captured: world.now, padding: padding)))
            needsKeyframe = false
            offered += 1
            #expect(world.source.waitingBytes <= 100_000)
            world.run(.milliseconds(16))
        }
        #expect(world.source.isOpen == true, "a slow app is not a vanished one")
        let statistics = world.source.statistics
        #expect(statistics.mostWaiting <= 100_000)
        #expect(statistics.pictures < offered / 2)
        #expect(statistics.drops.total > offered / 2)
        // Delivered pictures are decodable and recent: the oldest is the one that was being sent.
        var last: Int?
        for picture in world.pictures {
            let number = try #require(TestPicture.labels(picture.annexB)?.first?.number)
            #expect(picture.isKeyframe || last == number - 1)
            last = number
        }
        if rate > 0 { #expect(world.pictures.count >= rate / 20_000) }
        // Then the app is fast again.
        world.readRate = nil
        world.run(.seconds(1))
        world.forget()
        world.give(.slice(TestPicture.slice(600, isKeyframe: true, captured: world.now)))
        #expect(world.pictures.count == 1)
        #expect(world.source.waitingBytes == 0)
    }

    @Test("sound that waits is bounded; the oldest makes room") func soundRoom() {
        var settings = ExtensionRelaySettings()
        settings.soundBytes = 10_000
        var world = Self.connected(settings)
        world.readRate = 0
        for number in 0..<100 {
            world.give(
                .sound(
                    RelaySound(
                        origin: .microphone, codec: .pcm, format: .standard,
                        captured: Instant(nanoseconds: Int64(number)),
                        payload: [UInt8](repeating: UInt8(number), count: 1000))))
        }
        // One message is being sent.
        #expect(world.source.waitingBytes <= 10_000 + 1020)
        #expect(world.source.statistics.drops[.soundOverflow] > 80)
        world.readRate = nil
        world.run(.milliseconds(1))
        let sounds = world.takeAppEvents().compactMap { event -> UInt8? in
            if case .sound(let sound) = event { sound.payload.first } else { nil }
        }
        #expect(sounds == sounds.sorted() && sounds.last == 99)
    }

    @Test("pictures that waited too long give way to a keyframe of now") func late() {
        var world = Self.connected()
        world.readRate = 0
        world.give(.slice(TestPicture.slice(0, isKeyframe: true, padding: 5000)))
        for number in 1..<10 { world.give(.slice(TestPicture.slice(number))) }
        world.run(.milliseconds(600))
        _ = world.takeSourceEvents()
        world.readRate = nil
        world.run(.milliseconds(1))
        #expect(world.pictures.count == 1)
        #expect(world.source.statistics.drops[.pictureLate] == 9)
        #expect(world.takeSourceEvents() == [.keyframeNeeded])
    }

    @Test("a keyframe that does not come is asked for again") func asksAgain() {
        var world = Self.connected()
        for number in 0..<90 {
            world.give(.slice(TestPicture.slice(number)))
            world.run(.milliseconds(33))
        }
        #expect(world.takeSourceEvents() == [.keyframeNeeded, .keyframeNeeded])
        #expect(world.source.statistics.drops[.pictureBroken] == 90)
    }

    @Test("a picture that never ends, or with a slice of another, is dropped and counted once") func cutShort() {
        var world = Self.connected()
        world.give(.slice(TestPicture.slice(0, isKeyframe: true)))
        world.give(.slice(TestPicture.slice(1, slice: 0, of: 3)))
        world.give(.slice(TestPicture.slice(2, slice: 1, of: 3)))
        world.give(.slice(TestPicture.slice(3)))
        world.give(.slice(TestPicture.slice(4, isKeyframe: true)))
        #expect(world.pictures.map(\.isKeyframe) == [true, true])
        #expect(world.source.statistics.drops[.pictureMalformed] == 1)
        #expect(world.source.statistics.drops[.pictureBroken] == 1)
        #expect(world.app.statistics.drops[.pictureIncomplete] == 1)
    }

    @Test("what is no access unit, and what is no sound, is dropped and counted") func malformed() {
        var world = Self.connected()
        var slice = TestPicture.slice(0, isKeyframe: true)
        slice.annexB = [1, 2, 3]
        world.give(.slice(slice))
        #expect(world.source.statistics.drops[.pictureMalformed] == 1)
        world.give(
            .sound(RelaySound(origin: .system, codec: .pcm, format: .standard, captured: .zero, payload: [1, 2, 3])))
        world.give(
            .sound(
                RelaySound(
                    origin: .system, codec: .opus, format: .standard, captured: .zero,
                    payload: [UInt8](repeating: 0, count: 70_000))))
        #expect(world.source.statistics.drops[.soundMalformed] == 2)
        #expect(world.source.waitingBytes == 0)
    }

    @Test("another format is told in its place, and asks for a keyframe") func format() {
        var world = Self.connected()
        world.give(.slice(TestPicture.slice(0, isKeyframe: true)))
        let turned = RelayFormat(codec: .h264, size: PixelSize(width: 1280, height: 720), quarterTurns: 1)
        world.give(.format(turned))
        world.give(.slice(TestPicture.slice(1)))
        world.give(.slice(TestPicture.slice(2, isKeyframe: true)))
        let events = world.takeAppEvents()
        #expect(events.count == 3)
        #expect(events.contains(.format(turned)))
        #expect(world.takeSourceEvents() == [.keyframeNeeded])
        // Rotated repeatedly while the app is slow: the last rotation counts.
        world.readRate = 0
        world.give(.slice(TestPicture.slice(3, padding: 9000)))
        for index in 0..<1000 {
            var format = turned
            format.quarterTurns = UInt8(index % 4)
            world.give(.format(format))
        }
        #expect(world.source.waitingBytes < 9200)
    }

    @Test("what waits is sent before the farewell") func ends() {
        var world = Self.connected()
        world.readRate = 100_000
        world.give(.slice(TestPicture.slice(0, isKeyframe: true, padding: 20_000)))
        world.give(.slice(TestPicture.slice(1)))
        world.give(.end)
        world.give(.slice(TestPicture.slice(2)))
        world.run(.milliseconds(400))
        #expect(world.takeSourceEvents() == [.stopped(.finished)])
        #expect(world.source.isStopped == true)
        #expect(world.pictures.count == 2)
        #expect(world.takeAppEvents().last == .left(nil))
        world.run(.seconds(10))
        #expect(world.tries == 1)
    }

    @Test("a farewell that nobody takes ends in a second") func endsAlone() {
        var world = Self.connected()
        world.readRate = 0
        world.give(.slice(TestPicture.slice(0, isKeyframe: true, padding: 20_000)))
        world.give(.end)
        world.run(.milliseconds(1001))
        #expect(world.takeSourceEvents() == [.stopped(.finished)])
        #expect(world.source.statistics.drops[.pictureLost] == 1)
        #expect(world.source.deadline == nil)
    }

    @Test(
        "an app that ends, that has another extension, or that is of another time is not tried again",
        arguments: [
            RelayEndReason.finished, .replaced, .version,
        ])
    func farewells(reason: RelayEndReason) {
        var world = Self.connected()
        world.give(.received(RelayMessage.end(reason).serialised()))
        #expect(world.takeSourceEvents() == [.stopped(reason)])
        world.run(.seconds(10))
        #expect(world.tries == 1 && world.source.deadline == nil)
    }

    @Test("an app that speaks otherwise is given up, by name, and tried again", arguments: RelayWireError.allCases)
    func violations(error: RelayWireError) {
        let junk: [RelayWireError: [UInt8]] = [
            .wrongPrefix: [0x48], .wrongLength: [0x26, 0, 0, 0, 0],
            .unexpectedKind: RelayMessage.hello(version: 1).serialised(), .malformed: [0x26, 0, 0, 0, 2, 7, 9],
        ]
        var world = Self.connected()
        world.give(.received(junk[error] ?? []))
        #expect(world.takeSourceEvents() == [.lost(.violation(error))])
        let isBack = world.run(atMost: .seconds(1)) { $0.isConnected }
        #expect(isBack)
    }

    @Test("an app's answer is read wherever it is cut") func answers() {
        let answer =
            RelayMessage.welcome(version: 1).serialised() + RelayMessage.heartbeat.serialised()
            + RelayMessage.keyframeRequest.serialised() + RelayMessage.end(.finished).serialised()
        for cut in 0...answer.count {
            var source = ExtensionRelay(
                format: RelayFormat(codec: .h264, size: PixelSize(width: 16, height: 16)),
                random: SeededGenerator(seed: 1), now: .zero)
            source.tick(now: .zero)
            source.handle(.connected, now: .zero)
            source.handle(.received(Array(answer[..<cut])), now: .zero)
            source.handle(.received(Array(answer[cut...])), now: .zero)
            var events: [ExtensionRelayEvent] = []
            while let output = source.poll() { if case .event(let event) = output { events.append(event) } }
            #expect(events == [.connected, .keyframeNeeded, .keyframeNeeded, .stopped(.finished)], "cut at \(cut)")

            // A connection that ends there is retried, unless the farewell was complete.
            var other = ExtensionRelay(
                format: RelayFormat(codec: .h264, size: PixelSize(width: 16, height: 16)),
                random: SeededGenerator(seed: 1), now: .zero)
            other.tick(now: .zero)
            other.handle(.connected, now: .zero)
            other.handle(.received(Array(answer[..<cut])), now: .zero)
            other.handle(.closed, now: .zero)
            #expect(other.isStopped == (cut == answer.count))
            #expect((other.deadline == nil) == other.isStopped)
        }
    }

    @Test("a wish of the app is told once, and again by the next app") func wishes() {
        var world = Self.connected()
        let wish = RelayWish(bitrate: 900_000, largest: PixelSize(width: 640, height: 360))
        for _ in 0..<2 { world.giveApp(.wish(wish)) }
        world.run(.milliseconds(1))
        #expect(world.takeSourceEvents() == [.wish(wish)])
        // The wishes of another app are unknown: none are reported until it sends them.
        world.killApp()
        world.listens = true
        #expect(world.run(atMost: .seconds(3), until: { $0.isConnected }) == true)
        #expect(world.takeSourceEvents().contains(.wish(wish)) == false)
        world.giveApp(.wish(wish))
        #expect(world.takeSourceEvents() == [.wish(wish)])
        world.giveApp(.wish(RelayWish()))
        #expect(world.takeSourceEvents() == [.wish(RelayWish())])
    }
}
