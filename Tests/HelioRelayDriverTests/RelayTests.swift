import HelioCore
import HelioExtension
import HelioGround
import HelioLocalSocket
import HelioRelay
import HelioRelayDriver
import HelioRelayWire
import HelioTestLanes
import Synchronization
import Testing

/// An extension and an app on separate threads, connected by a real socket.
@Suite("The relay through a real socket", .serialized, .tags(.quiet))
struct RelayTests {
    private static let size = PixelSize(width: 720, height: 1280)
    private static let parameterSets: [UInt8] = [0, 0, 0, 1, 0x67, 0x42, 0xC0, 0x1F, 0, 0, 0, 1, 0x68, 0xCE, 0x38]

    private static func frame(_ number: Int, isKeyframe: Bool = false, padding: Int = 0) -> EncodedFrame {
        EncodedFrame(
            annexB: (isKeyframe ? parameterSets : []) + [0, 0, 0, 1, isKeyframe ? 0x65 : 0x41]
                + Array("\(number);".utf8) + [UInt8](repeating: 0x55, count: padding),
            presentationTime: .nanoseconds(MonotonicClock.now.nanoseconds), isKeyframe: isKeyframe)
    }

    private static func pictures(_ events: [AppRelayEvent]) -> [RelayedPicture] {
        events.compactMap { if case .picture(let picture) = $0 { picture } else { nil } }
    }

    @Test("pictures, sound of the apps and of the microphone arrive as they were given") func relays() throws {
        let folder = SocketFolder()
        let app = EventLog<AppRelayEvent>()
        let source = EventLog<BroadcastRelay.Event>()
        let server = try RelayServer(path: folder.socket) { app.add($0) }
        let relay = try BroadcastRelay(.init(socketPath: folder.socket, size: Self.size)) { source.add($0) }
        #expect(source.wait { $0 == [.connected, .keyframeNeeded] })
        let first = Self.frame(0, isKeyframe: true, padding: 300_000)
        relay.write(first)
        let time = Duration.nanoseconds(MonotonicClock.now.nanoseconds)
        relay.write(samples: [1, 2, 3, 4], sampleRate: 48000, channels: 2, isMicrophone: false, presentationTime: time)
        relay.write(samples: [5, 6], sampleRate: 16000, channels: 1, isMicrophone: true, presentationTime: time)
        let sample: [UInt8] = [0, 0, 0, 2, 0x41, 9, 0, 0, 0, 1, 0x41]
        try relay.write(avcc: sample.span.bytes, presentationTime: time, isKeyframe: false)
        try relay.change(size: PixelSize(width: 1280, height: 720), quarterTurns: 1)
        relay.finish()
        #expect(app.wait { $0.last == .left(nil) })
        let events = app.events
        try #require(events.count == 8)
        #expect(
            events[0] == .joined
                && events[1] == .format(RelayFormat(codec: .h264, size: Self.size, framesPerSecond: 30)))
        guard case .picture(let keyframe) = events[2], case .picture(let picture) = events[5] else {
            Issue.record("no pictures")
            return
        }
        #expect(keyframe.frame == first)
        #expect(picture.annexB == [0, 0, 0, 1, 0x41, 9, 0, 0, 0, 1, 0x41] && picture.frameIndex == 1)
        #expect(
            events[3]
                == .sound(
                    RelaySound(
                        origin: .system, codec: .pcm, format: .standard, captured: .zero + time, payload: [1, 2, 3, 4]))
        )
        #expect(
            events[4]
                == .sound(
                    RelaySound(
                        origin: .microphone, codec: .pcm, format: SoundFormat(sampleRate: 16000, channels: 1),
                        captured: .zero + time, payload: [5, 6])))
        #expect(
            events[6]
                == .format(
                    RelayFormat(
                        codec: .h264, size: PixelSize(width: 1280, height: 720), framesPerSecond: 30, quarterTurns: 1)))
        #expect(source.wait { $0.last == .stopped("the relay has ended") })
        #expect(relay.statistics.pictures == 2 && relay.statistics.sounds == 2 && relay.statistics.drops.isEmpty)
        #expect(server.statistics.pictures == 2 && server.statistics.sounds == 2 && server.statistics.drops.total == 0)
        #expect(relay.statistics.bytes == server.statistics.bytes)
        server.stop()
    }

    @Test("an extension that is there first waits for its app, and an app that ends is not tried again") func waits()
        throws
    {
        let folder = SocketFolder()
        let source = EventLog<BroadcastRelay.Event>()
        let relay = try BroadcastRelay(.init(socketPath: folder.socket, size: Self.size)) { source.add($0) }
        relay.write(Self.frame(0, isKeyframe: true))
        #expect(relay.statistics.drops == ["relay-picture-unheard": 1])
        let app = EventLog<AppRelayEvent>()
        let server = try RelayServer(path: folder.socket) { app.add($0) }
        #expect(source.wait { $0.contains(.connected) })
        server.requestKeyframe()
        #expect(source.wait { $0.count { $0 == .keyframeNeeded } == 2 })
        server.stop()
        #expect(source.wait { $0.last == .stopped("the relay has ended") })
        #expect(throws: HelioError.self) { try LocalSocket.connect(to: folder.socket) }
        #expect(app.wait { $0.last == .left(nil) })
        _ = relay
    }

    @Test("an app that dies is found at once, and the next one connected to") func dies() throws {
        let folder = SocketFolder()
        let source = EventLog<BroadcastRelay.Event>()
        var listener: LocalSocket? = try LocalSocket.listen(at: folder.socket)
        let relay = try BroadcastRelay(.init(socketPath: folder.socket, size: Self.size)) { source.add($0) }
        var accepted = try Self.accept(listener)
        #expect(accepted?.send(RelayMessage.welcome(version: 1).serialised(), from: 0) == .done(7))
        #expect(source.wait { $0.contains(.connected) })
        accepted = nil
        listener = nil
        #expect(source.wait(atMost: .seconds(1)) { $0.last == .lost("the app has closed the connection") })
        let app = EventLog<AppRelayEvent>()
        let server = try RelayServer(path: folder.socket) { app.add($0) }
        #expect(source.wait { $0.count { $0 == .connected } == 2 })
        relay.write(Self.frame(1, isKeyframe: true))
        #expect(app.wait { Self.pictures($0).count == 1 })
        #expect(relay.statistics.connections == 2 && relay.statistics.losses == 1)
        server.stop()
    }

    /// A hung process: its sockets stay open, and nothing is sent.
    @Test("an app that hangs is found within a second") func hangs() throws {
        let folder = SocketFolder()
        let source = EventLog<BroadcastRelay.Event>()
        let listener = try LocalSocket.listen(at: folder.socket)
        let relay = try BroadcastRelay(.init(socketPath: folder.socket, size: Self.size)) { source.add($0) }
        let accepted = try Self.accept(listener)
        let start = MonotonicClock.now
        _ = accepted?.send(RelayMessage.welcome(version: 1).serialised(), from: 0)
        #expect(source.wait { $0.last == .lost("the app gives no sign of life") })
        #expect(MonotonicClock.now - start > .milliseconds(850))
        #expect(MonotonicClock.now - start < .seconds(2), "0.9 s, and what a busy machine takes")
        #expect(accepted?.receiveAll().isClosed == true)
        relay.finish()
    }

    @Test("an app that stops reading costs frames, never memory") func slow() throws {
        let folder = SocketFolder()
        let source = EventLog<BroadcastRelay.Event>()
        let app = EventLog<AppRelayEvent>()
        // The app blocks in the first picture until released, for less than the extension's patience.
        let gate = try Wakeup()
        let server = try RelayServer(path: folder.socket) { event in
            if case .picture = event { _ = gate.wait(until: MonotonicClock.now + .milliseconds(600)) }
            app.add(event)
        }
        var options = BroadcastRelay.Options(socketPath: folder.socket, size: Self.size)
        options.waitingBytes = 300_000
        let relay = try BroadcastRelay(options) { source.add($0) }
        #expect(source.wait { $0.last == .keyframeNeeded })
        // More than the socket and the app buffer.
        for number in 0..<400 {
            relay.write(Self.frame(number, isKeyframe: number == 0, padding: 50_000))
            #expect(relay.statistics.waitingBytes <= 300_000)
        }
        let dropped = relay.statistics.drops
        #expect(dropped["relay-picture-overflow", default: 0] > 0 && dropped["relay-picture-broken", default: 0] > 0)
        gate.signal()
        // A keyframe is requested once there is room, and is delivered.
        #expect(source.wait { $0.count { $0 == .keyframeNeeded } >= 2 })
        relay.write(Self.frame(400, isKeyframe: true))
        #expect(
            app.wait {
                Self.pictures($0).last?.annexB.contains(UInt8(ascii: "4")) == true
                    && Self.pictures($0).last?.isKeyframe == true
            })
        #expect(relay.statistics.mostWaitingBytes <= 300_000 + 100)
        #expect(!source.events.contains { if case .lost = $0 { true } else { false } })
        relay.finish()
        server.stop()
    }

    @Test("who speaks otherwise is closed and counted, and the extension that relays stays") func strangers() throws {
        let folder = SocketFolder()
        let app = EventLog<AppRelayEvent>()
        let source = EventLog<BroadcastRelay.Event>()
        let server = try RelayServer(path: folder.socket) { app.add($0) }
        let relay = try BroadcastRelay(.init(socketPath: folder.socket, size: Self.size)) { source.add($0) }
        #expect(source.wait { $0.contains(.connected) })
        for junk in [Array("GET / HTTP/1.1\r\n\r\n".utf8), [0x26, 0xFF, 0xFF, 0xFF, 0xFF], [0x26, 0, 0, 0, 1, 9]] {
            let socket = try LocalSocket.connect(to: folder.socket)
            _ = socket.send(junk, from: 0)
            let answer = socket.receiveAll()
            #expect(answer.isClosed && answer.bytes.isEmpty)
        }
        #expect(
            server.statistics.drops.byName
                == ["relay-wrong-prefix": 1, "relay-wrong-length": 1, "relay-out-of-order": 1])
        relay.write(Self.frame(0, isKeyframe: true))
        #expect(app.wait { Self.pictures($0).count == 1 })
        relay.finish()
        server.stop()
    }

    @Test("a second extension takes over, and the first one stops") func replaces() throws {
        let folder = SocketFolder()
        let app = EventLog<AppRelayEvent>()
        let server = try RelayServer(path: folder.socket) { app.add($0) }
        let first = EventLog<BroadcastRelay.Event>()
        let old = try BroadcastRelay(.init(socketPath: folder.socket, size: Self.size)) { first.add($0) }
        #expect(first.wait { $0.contains(.connected) })
        let second = EventLog<BroadcastRelay.Event>()
        let new = try BroadcastRelay(.init(socketPath: folder.socket, codec: .h265, size: Self.size)) { second.add($0) }
        #expect(second.wait { $0.contains(.connected) })
        #expect(first.wait { $0.last == .stopped("another extension has taken over") })
        #expect(app.events.contains(.left(.replaced)))
        new.finish()
        old.finish()
        server.stop()
    }

    @Test("settings that make no sense are refused") func refuses() throws {
        let folder = SocketFolder()
        var little = BroadcastRelay.Options(socketPath: folder.socket, size: Self.size)
        little.waitingBytes = 10
        for options in [
            little, BroadcastRelay.Options(socketPath: folder.socket, size: PixelSize(width: 0, height: 0)),
            BroadcastRelay.Options(socketPath: folder.socket, size: Self.size, framesPerSecond: 0),
        ] {
            let error = #expect(throws: HelioError.self) { try BroadcastRelay(options) { _ in } }
            #expect(error?.code == .invalidArgument)
        }
        let relay = try BroadcastRelay(.init(socketPath: folder.socket, size: Self.size)) { _ in }
        #expect(throws: HelioError.self) { try relay.change(size: PixelSize(width: 0, height: 1)) }
        let sample: [UInt8] = [0, 0, 0, 9, 1]
        #expect(throws: HelioError.self) {
            try relay.write(avcc: sample.span.bytes, presentationTime: .zero, isKeyframe: true)
        }
        relay.finish()
    }

    private static func accept(_ listener: LocalSocket?) throws -> LocalSocket? {
        let listener = try #require(listener)
        var polls = [DescriptorPoll(listener.descriptor)]
        DescriptorPoll.wait(&polls, until: MonotonicClock.now + .seconds(20))
        return listener.accept()
    }
}
