import HelioCore
import HelioProtection
import HelioRTMP
import HelioReceivers
import Testing

@testable import HelioBroadcast

struct RTMPBroadcastTests {
    private static func waiting(_ failure: RTMPFailure) -> BroadcastState { .waiting(failure.failure) }

    private static func refused(_ failure: RTMPFailure) -> BroadcastState { .refused(failure.failure) }

    @Test func publishes() throws {
        var world = try RTMPWorld()
        world.run(for: .seconds(1))
        #expect(world.states == [.connecting, .live])
        #expect(world.wishes == 1)
        let count = world.stream(for: .seconds(5))
        world.give(.end)
        world.run(for: .seconds(1))
        #expect(world.states == [.connecting, .live, .ended])
        let received = try #require(world.received.last)
        #expect(received.application == "live/one")
        #expect(received.pictures.map(\.number) == Array(0..<count))
        #expect(received.pictures[30].time == 990)
        #expect(received.sounds.count == Int(count) * 2)
        #expect(received.configurations == 1)
        #expect(received.end == .finished)
        #expect(AMF0Value.object(received.metadata)["width"] == .number(320))
        received.check()
        let statistics = world.statistics
        #expect(statistics.drops.isEmpty)
        #expect(statistics.pictures == Int64(count))
        #expect(statistics.connections == 1)
        #expect(Int(statistics.sentBytes) > 3000 + Int(count) * 500)
        #expect(world.broadcast.unsentBytes == 0)
    }

    /// The bitrate of pictures over the last second, and the server's response time or the system's estimate of it.
    @Test func measures() throws {
        var world = try RTMPWorld()
        world.run(for: .seconds(1))
        world.stream(for: .seconds(3), size: 4000)
        // 30 pictures of 4 KB a second, and some sound; the newest tenth of the second may have just begun.
        #expect((860_000...1_050_000).contains(world.statistics.rate.bitsPerSecond))
        #expect(world.statistics.roundTrip == RTMPWorld.latency * 2)
        world.give(.link(.roundTrip(.milliseconds(7))))
        #expect(world.statistics.roundTrip == .milliseconds(7))
        #expect(world.statistics.line.hasSuffix("round trip 7 ms"))
    }

    /// A server that becomes available later is connected to.
    @Test func serverComesLater() throws {
        var world = try RTMPWorld()
        world.isServerUp = false
        world.run(for: .seconds(60))
        #expect(world.states.prefix(3) == [.connecting, Self.waiting(.unreachable), .connecting])
        // Retries after 0.5, 1, 2 and 4 s, then every 8 s.
        #expect((10...12).contains(world.connects))
        world.put(0, isKeyframe: true)
        #expect(world.statistics.drops == ["broadcast-not-connected": 1])
        world.isServerUp = true
        world.run(for: .seconds(9))
        #expect(world.states.last == .live)
    }

    /// A server that accepts connections and never responds, or stops at some step.
    @Test(arguments: [nil, 0, 1, 2] as [Int?])
    func silentServer(answers: Int?) throws {
        var world = try RTMPWorld { $0.connectTimeout = .seconds(10) }
        let server = answers.map { ScriptedServer(answers: $0) }
        world.script = { server?.answer($0) ?? [] }
        world.run(for: .milliseconds(10400))
        #expect(world.states.count == 2)
        #expect(world.states.last?.failure?.kind == .unreachable)
        #expect(world.closes == 1)
        world.run(for: .seconds(1))
        #expect(world.states.last == .connecting)
    }

    /// A wrong key is reported as such, and ends the broadcast without a retry.
    @Test func wrongKey() throws {
        var world = try RTMPWorld()
        world.serverKey = "another"
        world.run(for: .seconds(100))
        #expect(world.states == [.connecting, Self.refused(.badKey)])
        #expect(world.states.last?.failure?.kind == .unauthorized)
        #expect(world.connects == 1)
        #expect(world.broadcast.deadline == nil)
        world.put(0, isKeyframe: true)
        #expect(world.statistics.drops == ["broadcast-ended": 1])
    }

    @Test func wrongApplication() throws {
        var world = try RTMPWorld()
        world.serverApplication = "another"
        world.run(for: .seconds(100))
        #expect(world.states == [.connecting, Self.refused(.unknownApplication)])
    }

    @Test(
        arguments: [
            ("NetConnection.Connect.Rejected", 0, .rejected),
            ("NetConnection.Connect.InvalidApp", 0, .unknownApplication),
            ("NetStream.Publish.BadName", 2, .badKey),
            ("NetStream.Publish.Denied", 2, .denied),
        ] as [(String, Int, RTMPFailure)])
    func refusal(code: String, step: Int, failure: RTMPFailure) throws {
        var world = try RTMPWorld()
        let server = ScriptedServer(answers: step, error: code)
        world.script = { server.answer($0) }
        world.run(for: .seconds(5))
        #expect(world.states == [.connecting, Self.refused(failure)])
    }

    /// An unknown error, or a closed connection, is retried a limited number of times.
    @Test(arguments: [(0, "Some.Thing", .unknown), (2, nil, .hangsUp)] as [(Int, String?, RTMPFailure)])
    func endlessRefusal(answers: Int, error: String?, failure: RTMPFailure) throws {
        var world = try RTMPWorld()
        world.hangsUp = error == nil
        world.script = { [box = Box()] bytes in
            if bytes.isEmpty { box.server = ScriptedServer(answers: answers, error: error) }
            return box.server?.answer(bytes) ?? []
        }
        world.run(for: .seconds(200))
        #expect(world.states.last == Self.refused(failure))
        #expect(world.connects == 6)
    }

    private final class Box {
        var server: ScriptedServer?
    }

    /// A key in use by another sender is retried: that sender may leave.
    @Test func nameInUse() throws {
        var world = try RTMPWorld()
        world.script = { [box = Box()] bytes in
            if bytes.isEmpty {
                box.server = ScriptedServer(
                    answers: 2, error: "NetStream.Publish.BadName", explanation: "Already publishing")
            }
            return box.server?.answer(bytes) ?? []
        }
        world.run(for: .seconds(200))
        #expect(world.states[1] == Self.waiting(.nameInUse))
        #expect(world.states[1].failure?.kind == .busy)
        #expect(world.connects > 20)
        world.script = nil
        world.run(for: .seconds(9))
        #expect(world.states.last == .live)
    }

    /// A key in use by our previous connection is retried until the server drops it; one in use from the start is not.
    @Test func nameStillInUse() throws {
        var world = try RTMPWorld()
        world.run(for: .seconds(1))
        world.stream(for: .seconds(12))
        #expect(world.states.last == .live)
        world.serverKey = "another"
        world.cutsAfter = (world.bytes.toServer + 1000, .max)
        world.stream(for: .seconds(20), from: 1000)
        #expect(world.states.contains(Self.waiting(.nameInUse)))
        #expect(!world.states.contains { $0.isFinal })
        world.serverKey = nil
        world.run(for: .seconds(10))
        #expect(world.states.last == .live)

        world.serverKey = "another"
        world.cutsAfter = (world.bytes.toServer + 1000, .max)
        world.stream(for: .seconds(150), from: 2000)
        #expect(world.states.last == Self.refused(.badKey))
    }

    /// A stall of 10 s drops whole groups of pictures, which are counted, and the queue stays bounded.
    @Test func stall() throws {
        var world = try RTMPWorld()
        world.run(for: .seconds(1))
        world.stream(for: .seconds(3), size: 2000)
        world.isStalled = true
        world.stream(for: .seconds(10), from: 90, size: 2000)
        #expect(world.broadcast.unsentBytes < 64 << 10)
        #expect(world.statistics.queued <= .milliseconds(1040))
        #expect(world.statistics.drops["broadcast-stale-picture", default: 0] > 100)
        #expect(world.statistics.drops["broadcast-stale-sound", default: 0] > 100)
        world.goOn()
        world.stream(for: .seconds(3), from: 400, size: 2000)
        #expect(world.states == [.connecting, .live, .stalled, .live])
        let received = try #require(world.received.last)
        received.check()
        #expect(received.pictures.last?.number ?? 0 > 480)
        #expect(received.pictures.count > 150)
    }

    /// A stall without end leads to a new connection.
    @Test func endlessStall() throws {
        var world = try RTMPWorld { $0.stallLimit = .seconds(20) }
        world.run(for: .seconds(1))
        world.isStalled = true
        world.stream(for: .seconds(25))
        #expect(world.states.contains { $0.failure?.kind == .stalled })
        world.goOn()
        world.run(for: .seconds(2))
        #expect(world.states.last == .live)
    }

    /// Closing while waiting, connecting or negotiating takes effect at once.
    @Test(arguments: [0, 10, 30, 70, 1000])
    func closes(after milliseconds: Int) throws {
        var world = try RTMPWorld()
        world.run(for: .milliseconds(milliseconds))
        world.give(.end)
        world.run(for: .milliseconds(100))
        #expect(world.states.last == .ended)
        #expect(world.closes == 1)
        #expect(world.broadcast.deadline == nil)
    }

    /// A server that receives nothing delays the end only briefly.
    @Test func closesWhileStalled() throws {
        var world = try RTMPWorld()
        world.run(for: .seconds(1))
        world.stream(for: .seconds(1))
        world.isStalled = true
        world.stream(for: .milliseconds(300), from: 60)
        world.give(.end)
        world.run(for: .seconds(3))
        #expect(world.states.last == .ended)
        #expect(world.closes == 1)
        let statistics = world.statistics
        #expect(Int(statistics.pictures + statistics.sounds) + statistics.dropped == 3 * 41)
    }

    /// Random bytes instead of a server's, and malformed chunks.
    @Test func hostileServers() throws {
        var world = try RTMPWorld()
        world.script = { _ in [Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8)] }
        world.run(for: .milliseconds(300))
        #expect(world.states == [.connecting, Self.waiting(.violation)])

        world = try RTMPWorld()
        let server = ScriptedServer(answers: 0, raw: [0xC6, 1, 2, 3])
        world.script = { server.answer($0) }
        world.run(for: .milliseconds(300))
        #expect(world.states == [.connecting, Self.waiting(.malformed(.headless))])
    }

    /// Pings are answered, and received bytes acknowledged.
    @Test func keepsGoing() throws {
        var world = try RTMPWorld()
        let server = ScriptedServer(
            answers: 4,
            raw: ScriptedServer.chunks([
                RTMPControl.windowSize(1000).message, RTMPControl.ping(77).message,
            ]) + ScriptedServer.chunks([RTMPMessage(.data, payload: [UInt8](repeating: 5, count: 100))]))
        world.script = { server.answer($0) }
        world.run(for: .seconds(1))
        #expect(world.states == [.connecting, .live])
        #expect(server.controls.contains(.pong(77)))
        #expect(server.controls.contains { if case .acknowledgement(let count) = $0 { count > 3000 } else { false } })
    }

    /// The key appears in no displayed text.
    @Test func keepsTheKey() throws {
        let address = try RTMPWorld.address()
        var world = try RTMPWorld()
        world.run(for: .seconds(2))
        for text in [
            "\(address)", "\(address.key)", String(reflecting: address.key), String(reflecting: address),
            "\(world.events)", "\(world.statistics)",
        ] { #expect(!text.contains("123456")) }
        var dumped = ""
        dump(address, to: &dumped)
        dump(world.broadcast, to: &dumped)
        #expect(!dumped.contains("123456"))
    }
}
