import HelioCore
import HelioHost
import HelioMedia
import HelioRemote
import HelioSession
import HelioSimulation
import Testing

@Suite("Junk against a running session")
struct HostileHostTests {
    @Test("datagrams of junk of every length are counted drops, and the session does not notice")
    func junkDatagrams() throws {
        var world = SessionWorld()
        try world.run(.seconds(1))
        var generator = SeededGenerator(seed: 4)
        let before = world.viewer.frames
        for length in 0..<1500 {
            var junk = (0..<length).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
            world.host.host.handle(.media(junk, from: PathID(77)), now: world.now)
            world.host.control.handle(.datagram(junk, from: PathID(77)), now: world.now)
            world.viewer.session.handle(.media(junk), now: world.now)
            world.viewer.control?.handle(.datagram(junk), now: world.now)
            // Random bytes behind a valid beginning.
            if length >= 2 { (junk[0], junk[1]) = (0x80, length % 2 == 0 ? 200 : 96) }
            world.host.host.handle(.media(junk, from: PathID(77)), now: world.now)
            world.viewer.session.handle(.media(junk), now: world.now)
        }
        try world.run(.seconds(1))
        #expect(world.viewer.ended == nil)
        #expect(world.viewer.frames >= before + 58)
        #expect(world.host.injected.isEmpty)
        #expect(world.host.host.statistics.drops["unknown-viewer", default: 0] >= 2900)
        #expect(world.host.control.allDrops["control-unknown-viewer", default: 0] >= 1490)
        let viewerDrops = try #require(world.viewer.control).statistics.drops
        #expect(viewerDrops.values.reduce(0, +) >= 1490)
        #expect(world.viewer.session.statistics.drops["media-not-genuine", default: 0] >= 2900)
    }

    @Test("a genuine datagram with any one bit flipped is dropped")
    func flippedBits() throws {
        var world = SessionWorld()
        try world.run(.seconds(1))
        world.viewer.send(.key(usage: 9, modifiers: [], isDown: true), now: world.now)
        let genuine = try #require(world.viewer.pollDatagram(now: world.now))
        #expect(genuine[0] == HostPeer.controlTag)
        for bit in 0..<(genuine.count - 1) * 8 {
            var changed = Array(genuine.dropFirst())
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            world.host.control.handle(.datagram(changed, from: PathID(6)), now: world.now)
        }
        world.host.tick(now: world.now)
        #expect(world.host.injected.isEmpty)
        world.host.receive(genuine, now: world.now)
        world.host.receive(genuine, now: world.now)
        #expect(world.host.injected == [.key(usage: 9, isDown: true)], "and a repeated one counts once")
    }

    @Test(
        "requests out of order get an RTSP error and do no harm (row 26)",
        arguments: [
            ("SETUP rtsps://h/screen/video RTSP/1.0\r\nCSeq: 1\r\n\r\n", "455"),
            ("PLAY rtsps://h/screen RTSP/1.0\r\nCSeq: 1\r\n\r\n", "455"),
            ("PAUSE rtsps://h/screen RTSP/1.0\r\nCSeq: 1\r\n\r\n", "455"),
            ("RECORD rtsps://h/screen RTSP/1.0\r\nCSeq: 1\r\n\r\n", "501"),
            ("GET_PARAMETER rtsps://h/screen RTSP/1.0\r\nCSeq: 1\r\n\r\n", "401"),
            ("DESCRIBE rtsps://h/screen RTSP/1.0\r\nCSeq: 1\r\n\r\n", "401"),
            (
                "DESCRIBE rtsps://h/screen RTSP/1.0\r\nCSeq: 1\r\nAuthorization: Heliograph nonce=\"00\", proof=\"11\"\r\n\r\n",
                "401"
            ),
            ("nonsense\r\n\r\n", "400"), ("GET / HTTP/1.1\r\nHost: x\r\n\r\n", "400"),
        ])
    func outOfOrder(request: String, status: String) {
        let world = SessionWorld()
        let host = world.host.host
        let id = ConnectionID(50)
        host.handle(.connected(id, address: "10.0.0.9"), now: .zero)
        host.handle(.received(id, Array(request.utf8)), now: .zero)
        var answer = ""
        while let output = host.poll() {
            if case .send(id, let bytes) = output { answer += String(decoding: bytes, as: UTF8.self) }
        }
        #expect(answer.hasPrefix("RTSP/1.0 \(status)"))
    }

    @Test("random bytes as signalling, at both ends, end in a refusal and nothing worse")
    func junkSignalling() {
        var generator = SeededGenerator(seed: 8)
        for round in 0..<300 {
            let world = SessionWorld(seed: UInt64(round))
            let id = ConnectionID(60)
            world.host.host.handle(.connected(id, address: "10.0.0.9"), now: .zero)
            for _ in 0..<20 {
                let length = Int.random(in: 0...300, using: &generator)
                let junk = (0..<length).map { _ in UInt8.random(in: 9...126, using: &generator) }
                world.host.host.handle(.received(id, junk), now: .zero)
                world.viewer.session.handle(.received(junk), now: .zero)
            }
            while world.host.host.poll() != nil {}
            var playing = false
            while let output = world.viewer.session.poll() {
                if case .event(.playing) = output { playing = true }
            }
            #expect(!playing)
        }
    }
}
