import HelioCore
import HelioRTP
import HelioRTSP
import HelioRTSPClient
import Testing

@Suite("Publishing to a server that misbehaves")
struct RecordHostileTests {
    static let states: [RTSPMethod] = [.options, .announce, .setup, .record]

    @Test(
        "an answer to SETUP without what is needed ends it",
        arguments: [
            [:], ["Session": "a"], ["Transport": "RTP/AVP;unicast;server_port=6000-6001"],
            ["Session": "a", "Transport": "RTP/AVP;unicast"], ["Session": "a", "Transport": ""],
            ["Session": "a", "Transport": "RTP/AVP;server_port=0-1"],
            ["Session": "a", "Transport": "RTP/AVP;server_port=65535"],
            ["Session": "a", "Transport": "RTP/AVP/TCP;interleaved=255"],
            ["Session": "a b", "Transport": "RTP/AVP;server_port=6000-6001"],
        ] as [RTSPHeaders])
    func setUps(headers: RTSPHeaders) throws {
        let server = ScriptedServer()
        server.override = { $0.method == .setup ? RTSPResponse(.ok, headers: headers) : nil }
        let world = try RecordWorld(.server(server))
        world.run(.seconds(1))
        #expect(world.events == ["failed: The server's answer to SETUP lacks a session, or ports or channels."])
    }

    @Test("UDP where TCP was asked for is not taken: over TLS it would be in the clear")
    func unasked() throws {
        let server = ScriptedServer()
        server.override = { request in
            request.method == .setup
                ? RTSPResponse(.ok, headers: ["Session": "a", "Transport": "RTP/AVP;server_port=6000-6001"]) : nil
        }
        let world = try RecordWorld(.server(server), address: "rtsps://10.0.0.1/live")
        world.run(.seconds(1))
        #expect(world.events == ["failed: The server answers with UDP where it was asked for TCP."])
        #expect(server.requests.first { $0.method == .setup }?.headers["Transport"]?.contains("TCP") == true)
        #expect(world.media.isEmpty && world.reports.isEmpty)
    }

    @Test(
        "junk, cut-off and endless answers end it at each state", arguments: states,
        [
            "\u{0}\u{1}\u{2}junk\r\n\r\n", "HTTP/1.1 200 OK\r\n\r\n", "RTSP/2.0 200 OK\r\nCSeq: 1\r\n\r\n",
            "RTSP/1.0 999 X\r\n\r\n", "RTSP/1.0 200 OK\r\nContent-Length: 99999999\r\n\r\n",
            "RTSP/1.0 200 OK\r\n" + String(repeating: "a: b\r\n", count: 200),
            "RTSP/1.0 200 OK\r\na: " + String(repeating: "x", count: 70_000),
        ])
    func junk(method: RTSPMethod, answer: String) throws {
        let server = ScriptedServer()
        var isAnswered = false
        server.override = { request in
            if request.method == method { isAnswered = true }
            return nil
        }
        let world = try RecordWorld(.server(server))
        world.junkBefore = { isAnswered ? Array(answer.utf8) : [] }
        world.run(.seconds(4))
        #expect(isAnswered && world.events.count == 1, "\(world.events)")
        #expect(world.events.first?.contains("does not speak RTSP 1.0") == true)
    }

    @Test("junk on the way of the reports is counted, and the stream goes on", arguments: [true, false])
    func junkReports(isInterleaved: Bool) throws {
        let server = ScriptedServer()
        let world = try RecordWorld(.server(server), isInterleavedOnly: isInterleaved)
        world.run(.seconds(1))
        var generator = SeededGenerator(seed: 6)
        for length in 0..<1200 {
            let junk = (0..<length).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
            for channel in [RTPChannel.rtp, .rtcp] {
                if isInterleaved {
                    world.feed(
                        .received(
                            RTSPMessage.interleaved(channel: channel == .rtp ? 2 : 3, junk).serialised()))
                } else {
                    world.feed(.datagram(junk, channel))
                }
            }
        }
        world.feed(.received(RTSPMessage.interleaved(channel: 9, [1, 2, 3]).serialised()))
        world.feed(.datagram([0x80, 97], .rtp))
        let before = world.media.count
        world.run(.seconds(1))
        #expect(world.events.count == 1 && world.media.count > before)
        let drops = world.engine.statistics.drops
        #expect(drops["publication-foreign-channel", default: 0] >= 1201)
        #expect(drops["publication-malformed-reports", default: 0] >= 1100)
    }

    @Test("requests of the server's are answered, and an endless number of them ends it, with bounded memory")
    func requests() throws {
        let server = ScriptedServer()
        let world = try RecordWorld(.server(server))
        world.run(.seconds(1))
        world.feed(.received(Array("OPTIONS * RTSP/1.0\r\nCSeq: 77\r\n\r\nPLAY * RTSP/1.0\r\nCSeq: 78\r\n\r\n".utf8)))
        let text = String(decoding: world.sent, as: UTF8.self)
        #expect(text.contains("RTSP/1.0 200 OK\r\nCSeq: 77\r\n") && text.contains("RTSP/1.0 501"))

        world.isStuck = true
        let number = String(repeating: "1", count: 8000)
        let request = Array("OPTIONS * RTSP/1.0\r\nCSeq: \(number)\r\n\r\n".utf8)
        var rounds = 0
        while world.isConnected, rounds < 2000 {
            world.feed(.received(request))
            rounds += 1
        }
        #expect(world.sent.count < 5 << 20)
        #expect(world.events.last == "lost: The server reads no answers.")
    }

    @Test("a server is not followed elsewhere in the middle of the stream")
    func redirect() throws {
        let world = try RecordWorld(.server(ScriptedServer()))
        world.run(.seconds(1))
        world.feed(.received(Array("REDIRECT * RTSP/1.0\r\nCSeq: 79\r\nLocation: rtsp://x/y\r\n\r\n".utf8)))
        #expect(world.events.last?.contains("moved to rtsp://x/y") == true && !world.isConnected)
        world.run(.seconds(100))
        #expect(world.connections == 1)
    }

    @Test("a server whose certificate is not the expected one is not tried again")
    func refusedByTLS() throws {
        let world = try RecordWorld(.server(ScriptedServer()))
        world.feed(.refused(HelioError(.refused, "another certificate")))
        world.run(.seconds(100))
        #expect(world.events == ["failed: another certificate"] && world.connections == 0)
    }
}
