import HelioCore
import HelioRTP
import HelioRTSP
import HelioRTSPServer
import HelioSession
import HelioSimulation
import Testing

@Suite("A player's session: hostile and slow players")
struct PlayHostileTests {
    private let id = PlayWorld.id(1)

    @Test("a slow player's queue is bounded: whole frames are dropped up to a keyframe, then it goes on")
    func slow() throws {
        let world = PlayWorld()
        world.play(id)
        let other = PlayWorld.id(2)
        world.play(other)
        world.advance(.seconds(1))
        world.encoder.sliceBytes = 20_000
        world.stuck.insert(id)
        for _ in 0..<600 {
            world.advance(.milliseconds(16))
            world.frame()
        }
        #expect(world.unsent[id, default: 0] > 1 << 20)
        #expect(world.unsent[id, default: 0] < (1 << 20) + 200_000, "the bound and one frame")
        let drops = try #require(world.host.statistics.drops["player-slow-connection"])
        #expect(drops > 400)
        #expect(world.packets(other).count(where: \.marker) >= 600, "the other one does not notice")
        // No keyframe is encoded for a player whose connection is stuck.
        let before = world.keyframes
        world.advance(.seconds(3))
        #expect(world.keyframes == before)
        let received = world.packets(id).count
        world.unstick(id)
        #expect(world.keyframes == before + 1)
        world.frame()
        let resumed = Array(world.packets(id).dropFirst(received))
        #expect(resumed.count(where: \.marker) == 2)
        #expect(resumed.first?.sequence == world.packets(id)[received - 1].sequence &+ 1, "nothing was left half sent")
    }

    @Test("a player that reads no answers is put out before they fill the memory")
    func unread() {
        let world = PlayWorld()
        world.connect(id)
        world.stuck.insert(id)
        // The response repeats all unsupported parameters.
        let many = RTSPRequest(
            .getParameter, uri: PlayWorld.screen, headers: ["CSeq": "1"], body: Array(repeating: 0x61, count: 60_000)
        ).serialised()
        var rounds = 0
        while world.closed.isEmpty, rounds < 1000 {
            world.say(many, on: id)
            rounds += 1
        }
        #expect(world.closed == [id])
        #expect(world.unsent[id, default: 0] < (8 << 20) + 200_000)
    }

    @Test("500 connections that never speak are bounded, go after 20 seconds, and keep no player out")
    func silent() {
        let world = PlayWorld()
        world.play(id)
        for number in 0..<500 {
            world.connect(PlayWorld.id(UInt64(1000 + number)))
            #expect((0...number).count { world.host.knows(PlayWorld.id(UInt64(1000 + $0))) } <= 31)
        }
        #expect(world.host.knows(id))
        #expect(world.host.statistics.drops["player-too-many-players"] == 469)
        let late = PlayWorld.id(2)
        world.play(late)
        #expect(!world.packets(late).isEmpty)
        let before = world.packets(id).count
        world.advance(.seconds(20))
        #expect((0..<500).allSatisfy { !world.host.knows(PlayWorld.id(UInt64(1000 + $0))) })
        world.frame()
        #expect(world.packets(id).count > before && world.closed.isDisjoint(with: [id, late]))
    }

    @Test("players alone fill the house: one more is turned away, nobody is put out")
    func full() {
        let world = PlayWorld(connectionLimit: 4)
        let ids = (1...5).map { PlayWorld.id($0) }
        for id in ids { world.play(id) }
        #expect(ids.map { world.host.knows($0) } == [true, true, true, true, false])
        #expect(world.closed == [ids[4]])
    }

    @Test("a dialogue that is cut off anywhere starts nothing more and is tidied up")
    func truncated() {
        let dialogue = Array(
            """
            DESCRIBE rtsp://h/screen RTSP/1.0\r
            CSeq: 1\r
            \r
            SETUP rtsp://h/screen/video RTSP/1.0\r
            CSeq: 2\r
            Transport: RTP/AVP/TCP;interleaved=0-1\r
            \r
            PLAY rtsp://h/screen RTSP/1.0\r
            CSeq: 3\r
            \r

            """.utf8)
        for length in 0...dialogue.count {
            let world = PlayWorld()
            world.connect(id)
            for byte in dialogue[..<length] { world.say([byte], on: id) }
            #expect(world.isWatched == (length == dialogue.count))
            world.disconnect(id)
            #expect(!world.isWatched && !world.host.knows(id) && world.host.deadline == nil)
        }
    }

    @Test(
        "what breaks the protocol ends the connection",
        arguments: [
            ("GET / HTTP/1.1\r\nHost: h\r\n\r\n", 400), ("nonsense\r\n\r\n", 400),
            ("OPTIONS * RTSP/2.0\r\nCSeq: 1\r\n\r\n", 505), ("OPTIONS * RTSP/1.0\r\nbad header\r\n\r\n", 400),
            (String(repeating: "x", count: 70_000), 400),
            ("OPTIONS * RTSP/1.0\r\n" + String(repeating: "A: b\r\n", count: 200), 400),
            ("OPTIONS * RTSP/1.0\r\nContent-Length: 99999999\r\n\r\n", 400),
            ("OPTIONS * RTSP/1.0\r\nContent-Length: -1\r\n\r\n", 400),
        ])
    func broken(text: String, status: Int) {
        let world = PlayWorld()
        world.connect(id)
        world.say(text, on: id)
        #expect(world.takeResponses(id).map(\.status.code) == [status])
        #expect(world.closed == [id] && !world.host.knows(id))
    }

    @Test("too much behind a DESCRIBE that waits ends the connection")
    func floodBehindDescribe() {
        let world = PlayWorld()
        world.connect(id)
        world.encodes = false
        world.ask(.describe, PlayWorld.screen, on: id)
        let many = String(repeating: "OPTIONS * RTSP/1.0\r\nCSeq: 1\r\n\r\n", count: 1000)
        for _ in 0..<20 where world.closed.isEmpty { world.say(many, on: id) }
        #expect(world.closed == [id] && !world.isWatched)
    }

    @Test("junk on the channels and the report port is counted, and the stream goes on")
    func junk() throws {
        let world = PlayWorld()
        world.play(id)
        var generator = SeededGenerator(seed: 6)
        for length in 0..<600 {
            var junk = (0..<length).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
            let channel = UInt8.random(in: .min ... .max, using: &generator)
            world.say(RTSPMessage.interleaved(channel: channel, junk).serialised(), on: id)
            if length >= 2 { (junk[0], junk[1]) = (0x81, 201) }
            world.say(RTSPMessage.interleaved(channel: 1, junk).serialised(), on: id)
            world.report(junk)
        }
        let before = world.packets(id).count
        world.frame()
        #expect(world.packets(id).count > before && world.closed.isEmpty && world.left.isEmpty)
        let drops = world.host.statistics.drops
        #expect(drops["player-unknown-reports", default: 0] == 600)
        #expect(drops["player-malformed-reports", default: 0] > 400)
    }
}
