import HelioCore
import HelioProtection
import HelioRTMP
import Testing

@testable import HelioRTMPLink

struct RTMPPublisherTests {
    @Test func publishes() throws {
        var world = try RTMPWorld()
        world.run(for: .seconds(1))
        #expect(world.states == [.connecting, .publishing])
        #expect(world.wishes == 1)
        let count = world.stream(for: .seconds(5))
        world.give(.close)
        world.run(for: .seconds(1))
        #expect(world.states == [.connecting, .publishing, .closed])
        let received = try #require(world.received.last)
        #expect(received.application == "live/one")
        #expect(received.pictures.map(\.number) == Array(0..<count))
        #expect(received.pictures[30].time == 990)
        #expect(received.sounds.count == Int(count) * 2)
        #expect(received.configurations == 1)
        #expect(received.end == .finished)
        #expect(AMF0Value.object(received.metadata)["width"] == .number(320))
        received.check()
        let statistics = world.publisher.statistics
        #expect(statistics.drops.isEmpty)
        #expect(statistics.sentPictures == Int(count))
        #expect(statistics.connections == 1)
        #expect(statistics.roundTrip >= RTMPWorld.latency * 2)
        #expect(statistics.unsentBytes == 0)
    }

    @Test func measuresRate() throws {
        var world = try RTMPWorld()
        world.run(for: .seconds(1))
        world.stream(for: .seconds(3), size: 4000)
        // 30 pictures of 4 KB a second, and some sound.
        #expect((960_000...1_050_000).contains(world.publisher.statistics.rate))
    }

    /// The server is away, comes, and is found.
    @Test func serverComesLater() throws {
        var world = try RTMPWorld()
        world.isServerUp = false
        world.run(for: .seconds(60))
        #expect(world.states.prefix(3) == [.connecting, .broken(.unreachable), .connecting])
        // 0.5, 1, 2, 4, then each 8 s.
        #expect((10...12).contains(world.connects))
        world.put(0, isKeyframe: true)
        #expect(world.publisher.statistics.drops == ["rtmp-not-connected": 1])
        world.isServerUp = true
        world.run(for: .seconds(9))
        #expect(world.states.last == .publishing)
    }

    /// A server that takes connections and says nothing, at each step.
    @Test func silentServer() throws {
        var world = try RTMPWorld()
        world.script = { _ in [] }
        world.run(for: .seconds(11))
        #expect(world.states == [.connecting, .broken(.silent(.handshake)), .connecting])
        #expect(world.closes == 1)

        for (step, wait) in [RTMPWait.connect, .createStream, .publish].enumerated() {
            var world = try RTMPWorld()
            let server = ScriptedServer(answers: step)
            world.script = { server.answer($0) }
            world.run(for: .milliseconds(10400))
            #expect(world.states == [.connecting, .broken(.silent(wait))], "\(wait)")
        }
    }

    /// A wrong key is said as what it is, and the end: no second try.
    @Test func wrongKey() throws {
        var world = try RTMPWorld()
        world.serverKey = "another"
        world.run(for: .seconds(100))
        #expect(world.states == [.connecting, .refused(.badKey)])
        #expect(world.connects == 1)
        #expect(world.publisher.deadline == nil)
        world.put(0, isKeyframe: true)
        #expect(world.publisher.statistics.drops == ["rtmp-ended": 1])
    }

    @Test func wrongApplication() throws {
        var world = try RTMPWorld()
        world.serverApplication = "another"
        world.run(for: .seconds(100))
        #expect(world.states == [.connecting, .refused(.unknownApplication)])
    }

    @Test(
        arguments: [
            ("NetConnection.Connect.Rejected", 0, .refused(.rejected)),
            ("NetConnection.Connect.InvalidApp", 0, .refused(.unknownApplication)),
            ("NetStream.Publish.BadName", 2, .refused(.badKey)),
            ("NetStream.Publish.Denied", 2, .refused(.denied)),
        ] as [(String, Int, RTMPState)])
    func refusal(code: String, step: Int, state: RTMPState) throws {
        var world = try RTMPWorld()
        let server = ScriptedServer(answers: step, error: code)
        world.script = { server.answer($0) }
        world.run(for: .seconds(5))
        #expect(world.states == [.connecting, state])
    }

    /// A reason that is not known is tried again, and not for ever.
    @Test func unknownRefusal() throws {
        var world = try RTMPWorld()
        world.script = { [box = Box()] bytes in
            if bytes.isEmpty { box.server = ScriptedServer(answers: 0, error: "Some.Thing") }
            return box.server?.answer(bytes) ?? []
        }
        world.run(for: .seconds(200))
        #expect(world.states.last == .refused(.unknown))
        #expect(world.connects == 6)
    }

    private final class Box {
        var server: ScriptedServer?
    }

    /// Our last connection is still there for the server: it is waited for. One that never was is not.
    @Test func nameStillInUse() throws {
        var world = try RTMPWorld()
        world.run(for: .seconds(1))
        world.stream(for: .seconds(12))
        #expect(world.states.last == .publishing)
        world.serverKey = "another"
        world.cutsAfter = (world.bytes.toServer + 1000, .max)
        world.stream(for: .seconds(20), from: 1000)
        #expect(world.states.contains(.broken(.nameInUse)))
        #expect(!world.states.contains { $0.isFinal })
        world.serverKey = nil
        world.run(for: .seconds(10))
        #expect(world.states.last == .publishing)

        world.serverKey = "another"
        world.cutsAfter = (world.bytes.toServer + 1000, .max)
        world.stream(for: .seconds(150), from: 2000)
        #expect(world.states.last == .refused(.badKey))
    }

    /// A stall of 10 s costs whole groups of pictures, counted, and nothing piles up.
    @Test func stall() throws {
        var world = try RTMPWorld()
        world.run(for: .seconds(1))
        world.stream(for: .seconds(3), size: 2000)
        world.isStalled = true
        world.stream(for: .seconds(10), from: 90, size: 2000)
        #expect(world.publisher.statistics.unsentBytes < 64 << 10)
        #expect(world.publisher.statistics.waiting < 160)
        #expect(world.publisher.statistics.drops["rtmp-stale-picture", default: 0] > 100)
        #expect(world.publisher.statistics.drops["rtmp-stale-sound", default: 0] > 100)
        world.goOn()
        world.stream(for: .seconds(3), from: 400, size: 2000)
        #expect(world.states == [.connecting, .publishing])
        let received = try #require(world.received.last)
        received.check()
        #expect(received.pictures.last?.number ?? 0 > 480)
        #expect(received.pictures.count > 150)
    }

    /// A stall without end is one at last.
    @Test func endlessStall() throws {
        var world = try RTMPWorld()
        world.run(for: .seconds(1))
        world.isStalled = true
        world.stream(for: .seconds(21))
        #expect(world.states.contains(.broken(.stalled)))
        world.goOn()
        world.run(for: .seconds(2))
        #expect(world.states.last == .publishing)
    }

    /// Closed while it waits, connects or talks, it ends at once.
    @Test(arguments: [0, 10, 30, 70, 1000])
    func closes(after milliseconds: Int) throws {
        var world = try RTMPWorld()
        world.run(for: .milliseconds(milliseconds))
        world.give(.close)
        world.run(for: .milliseconds(100))
        #expect(world.states.last == .closed)
        #expect(world.closes == 1)
        #expect(world.publisher.deadline == nil)
    }

    /// A server that takes nothing does not hold up the end for long.
    @Test func closesWhileStalled() throws {
        var world = try RTMPWorld()
        world.run(for: .seconds(1))
        world.stream(for: .seconds(1))
        world.isStalled = true
        world.stream(for: .milliseconds(300), from: 60)
        world.give(.close)
        world.run(for: .seconds(3))
        #expect(world.states.last == .closed)
        let statistics = world.publisher.statistics
        #expect(statistics.sentPictures + statistics.sentSounds + statistics.drops.values.reduce(0, +) == 3 * 41)
    }

    @Test func unusableUnits() throws {
        var world = try RTMPWorld()
        world.run(for: .seconds(1))
        world.putSound()
        let picture = RTMPUnit(.keyframe, bytes: [1, 2, 3], presentation: .zero)
        world.give(.unit(picture))
        world.put(1, isKeyframe: false)
        #expect(
            world.publisher.statistics.drops == [
                "rtmp-before-first-picture": 1, "rtmp-unusable": 1, "rtmp-awaiting-keyframe": 1,
            ])
        world.put(2, isKeyframe: true)
        world.run(for: .milliseconds(100))
        #expect(world.received.last?.pictures.map(\.number).last == 2)
    }

    /// Garbage instead of a server, and chunks that make no sense.
    @Test func hostileServers() throws {
        var world = try RTMPWorld()
        world.script = { _ in [Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8)] }
        world.run(for: .milliseconds(300))
        #expect(world.states == [.connecting, .broken(.violation)])

        world = try RTMPWorld()
        let server = ScriptedServer(answers: 0, raw: [0xC6, 1, 2, 3])
        world.script = { server.answer($0) }
        world.run(for: .milliseconds(300))
        #expect(world.states == [.connecting, .broken(.malformed(.headless))])
    }

    /// Pings are answered, bytes acknowledged, and a server that asks without end is given up.
    @Test func keepsGoing() throws {
        var world = try RTMPWorld()
        let server = ScriptedServer(
            answers: 4,
            raw: ScriptedServer.chunks([
                RTMPControl.windowSize(1000).message, RTMPControl.ping(77).message,
            ]) + ScriptedServer.chunks([RTMPMessage(.data, payload: [UInt8](repeating: 5, count: 100))]))
        world.script = { server.answer($0) }
        world.run(for: .seconds(1))
        #expect(world.states == [.connecting, .publishing])
        #expect(server.controls.contains(.pong(77)))
        #expect(server.controls.contains { if case .acknowledgement(let count) = $0 { count > 3000 } else { false } })
        world.give(.link(.received(ScriptedServer.chunks((0..<1000).map { RTMPControl.ping($0).message }))))
        world.isStalled = true
        for _ in 0..<2000 {
            world.give(.link(.received(ScriptedServer.chunks((0..<1000).map { RTMPControl.ping($0).message }))))
        }
        #expect(world.states.contains(.broken(.flooded)))
    }

    /// The key is in nothing that is shown.
    @Test func keepsTheKey() throws {
        let stream = try RTMPWorld.stream()
        var world = try RTMPWorld()
        world.run(for: .seconds(2))
        world.serverKey = "another"
        for text in [
            "\(stream)", "\(stream.key)", String(reflecting: stream.key), String(reflecting: stream),
            "\(world.events)", "\(world.publisher.statistics)",
        ] { #expect(!text.contains("123456")) }
        var dumped = ""
        dump(stream, to: &dumped)
        dump(world.publisher, to: &dumped)
        #expect(!dumped.contains("123456"))
    }
}
