import HelioCore
import HelioRTSP
import HelioRTSPServer
import HelioSession
import Testing

@Suite("A player's session: the order of requests")
struct PlayStateTests {
    enum Start: String, CaseIterable {
        case initial, ready, playing
    }

    private static let tcp = "RTP/AVP/TCP;unicast;interleaved=0-1"
    private let id = PlayWorld.id(1)

    private func world(_ start: Start) -> (PlayWorld, RTSPHeaders) {
        let world = PlayWorld()
        world.connect(id)
        guard start != .initial else { return (world, [:]) }
        let setup = world.ask(.setup, PlayWorld.video, ["Transport": Self.tcp], on: id)
        let headers: RTSPHeaders = ["Session": setup?.headers.session?.id ?? "none"]
        if start == .playing { world.ask(.play, PlayWorld.screen, headers, on: id) }
        return (world, headers)
    }

    /// RFC 2326 appendix A.2, with the methods that this server rejects; `then` is the status of a later PLAY.
    @Test(
        "every method in every state",
        arguments: [
            (Start.initial, "OPTIONS", 200, 455), (.ready, "OPTIONS", 200, 200), (.playing, "OPTIONS", 200, 200),
            (.initial, "DESCRIBE", 200, 455), (.ready, "DESCRIBE", 200, 200), (.playing, "DESCRIBE", 200, 200),
            (.initial, "SETUP", 200, 454), (.ready, "SETUP", 200, 200), (.playing, "SETUP", 455, 200),
            (.initial, "PLAY", 455, 455), (.ready, "PLAY", 200, 200), (.playing, "PLAY", 200, 200),
            (.initial, "PAUSE", 455, 455), (.ready, "PAUSE", 200, 200), (.playing, "PAUSE", 200, 200),
            (.initial, "TEARDOWN", 455, 455), (.ready, "TEARDOWN", 200, 454), (.playing, "TEARDOWN", 200, 454),
            (.initial, "GET_PARAMETER", 200, 455), (.ready, "GET_PARAMETER", 200, 200),
            (.playing, "GET_PARAMETER", 200, 200), (.initial, "SET_PARAMETER", 200, 455),
            (.playing, "SET_PARAMETER", 200, 200), (.initial, "ANNOUNCE", 405, 455), (.playing, "ANNOUNCE", 405, 200),
            (.initial, "RECORD", 405, 455), (.playing, "RECORD", 405, 200), (.initial, "REDIRECT", 405, 455),
            (.initial, "DANCE", 501, 455), (.playing, "DANCE", 501, 200),
        ])
    func order(start: Start, method: String, status: Int, then: Int) throws {
        let (world, session) = world(start)
        var headers = session
        if method == "SETUP" { headers.append("Transport", Self.tcp) }
        let uri = method == "SETUP" ? PlayWorld.video : PlayWorld.screen
        let answer = try #require(world.ask(RTSPMethod(rawValue: method), uri, headers, on: id))
        #expect(answer.status.code == status)
        if [405, 501].contains(status) {
            #expect(answer.headers["Allow"]?.contains("DESCRIBE, SETUP, PLAY, PAUSE, TEARDOWN") == true)
        }
        // With the previous session: a session that SETUP has just made is a different one.
        let after: RTSPHeaders = start == .initial && method == "SETUP" ? ["Session": "other"] : session
        #expect(world.ask(.play, PlayWorld.screen, after, on: id)?.status.code == then)
        #expect(world.closed.isEmpty)
    }

    @Test(
        "what is asked wrongly gets its error",
        arguments: [
            ("PLAY rtsp://h/screen RTSP/1.0\r\n\r\n", 400), ("PLAY rtsp://h/screen RTSP/1.0\r\nCSeq: x\r\n\r\n", 400),
            ("DESCRIBE rtsp://h/other RTSP/1.0\r\nCSeq: 1\r\n\r\n", 404),
            ("DESCRIBE rtsp://h/screen/video RTSP/1.0\r\nCSeq: 1\r\n\r\n", 404),
            ("DESCRIBE http://h/screen RTSP/1.0\r\nCSeq: 1\r\n\r\n", 404),
            ("DESCRIBE * RTSP/1.0\r\nCSeq: 1\r\n\r\n", 404),
            ("DESCRIBE rtsp://h/screen RTSP/1.0\r\nCSeq: 1\r\nAccept: text/html\r\n\r\n", 406),
            ("DESCRIBE rtsp://h/screen RTSP/1.0\r\nCSeq: 1\r\nRequire: magic\r\n\r\n", 551),
            ("SETUP rtsp://h/screen/video RTSP/1.0\r\nCSeq: 1\r\n\r\n", 400),
            ("SETUP rtsp://h/screen/video RTSP/1.0\r\nCSeq: 1\r\nTransport: ;;\r\n\r\n", 400),
            ("SETUP rtsp://h/screen/video RTSP/1.0\r\nCSeq: 1\r\nTransport: RTP/SAVP;client_port=2-3\r\n\r\n", 461),
            ("SETUP rtsp://h/screen/video RTSP/1.0\r\nCSeq: 1\r\nTransport: RTP/AVP;unicast\r\n\r\n", 461),
            (
                "SETUP rtsp://h/screen/video RTSP/1.0\r\nCSeq: 1\r\nTransport: RTP/AVP;unicast;client_port=0-1\r\n\r\n",
                461
            ),
            (
                "SETUP rtsp://h/screen/video RTSP/1.0\r\nCSeq: 1\r\nTransport: RTP/AVP;multicast;client_port=2-3\r\n\r\n",
                461
            ),
            (
                "SETUP rtsp://h/screen/video RTSP/1.0\r\nCSeq: 1\r\nTransport: RTP/AVP/TCP;interleaved=255-255\r\n\r\n",
                461
            ),
            (
                "SETUP rtsp://h/screen/video RTSP/1.0\r\nCSeq: 1\r\n"
                    + "Transport: RTP/AVP;unicast;client_port=5000-5001;mode=RECORD\r\n\r\n",
                461
            ),
            ("PLAY rtsp://h/screen RTSP/1.0\r\nCSeq: 1\r\nSession: 12345678\r\n\r\n", 454),
            ("GET_PARAMETER rtsp://h/screen RTSP/1.0\r\nCSeq: 1\r\nContent-Length: 6\r\n\r\nvolume", 451),
            ("SET_PARAMETER rtsp://h/screen RTSP/1.0\r\nCSeq: 1\r\nContent-Length: 6\r\n\r\nvolume", 451),
        ])
    func errors(request: String, status: Int) {
        let world = PlayWorld()
        world.connect(id)
        world.say(request, on: id)
        #expect(world.takeResponses(id).map(\.status.code) == [status])
        #expect(world.closed.isEmpty, "and no harm is done")
        #expect(world.ask(.options, "*", on: id)?.status == .ok)
    }

    @Test("UDP ports and channels are answered as asked, and a second SETUP changes the way")
    func transports() throws {
        let world = PlayWorld()
        world.connect(id)
        let first = try #require(
            world.ask(
                .setup, PlayWorld.video,
                ["Transport": "RTP/SAVP;unicast;client_port=9-10, RTP/AVP;unicast;client_port=5000-5001"], on: id))
        let udp = try #require(first.headers["Transport"].flatMap(TransportHeader.list)?.first)
        #expect(udp.clientPorts == 5000...5001 && udp.serverPorts == 6970...6971 && udp.ssrc != nil)
        #expect(first.headers.session?.timeout == 60)
        let session = try #require(first.headers.session?.id)
        let second = try #require(
            world.ask(
                .setup, PlayWorld.video, ["Transport": "RTP/AVP/TCP;interleaved=4-5", "Session": session], on: id))
        let tcp = try #require(second.headers["Transport"].flatMap(TransportHeader.list)?.first)
        #expect(tcp.interleaved == 4...5 && second.headers.session?.id == session)
        #expect(world.ask(.play, PlayWorld.screen, ["Session": session], on: id)?.status == .ok)
        #expect(world.ports[id] == nil && !world.packets(id).isEmpty)
    }
}
