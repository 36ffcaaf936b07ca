import HelioCore
import HelioMedia
import HelioRTP
import HelioRTSP
import HelioRTSPClient
import Testing

@Suite("A foreign RTSP server that misbehaves")
struct PlayHostileTests {
    static let states: [RTSPMethod] = [.options, .describe, .setup, .play, .getParameter]

    private func ended(_ change: (ScriptedServer) -> Void) throws -> HelioError? {
        let world = try PlayWorld()
        change(world.server)
        world.connect()
        world.run(.seconds(30))
        return world.ended
    }

    @Test(
        "each refusal says what is wrong",
        arguments: [
            (RTSPStatus(301, "Moved"), "moved to rtsp://other:99/x"),
            (RTSPStatus(302, "Found"), "moved to rtsp://other:99/x"),
            (.notFound, "no stream of this name"), (.forbidden, "lets nobody"), (.serviceUnavailable, "busy"),
            (.notEnoughBandwidth, "busy"), (.internalError, "(500)"), (.unsupportedTransport, "(461)"),
        ])
    func refusals(status: RTSPStatus, part: String) throws {
        let error = try ended { server in
            server.override = { request in
                request.method == .describe
                    ? RTSPResponse(status, headers: ["Location": "rtsp://u:secret@other:99/x"]) : nil
            }
        }
        #expect(error?.message.contains(part) == true && error?.message.contains("secret") == false)
    }

    @Test(
        "a description that can't be played is said",
        arguments: [
            ("", "no video"), ("m=audio 0 RTP/AVP 0\r\n", "no video"), ("m=video\r\n", "can't be read"),
            ("m=video 0 RTP/AVP 26\r\n", "JPEG"), ("m=video 0 RTP/AVP 33\r\n", "RTP payload type 33"),
            ("m=video 0 RTP/AVP 96\r\na=rtpmap:96 VP8/90000\r\n", "VP8"),
            ("m=video 0 RTP/AVP 96\r\na=rtpmap:96 \u{1b}[2J/90000\r\n", "RTP payload type 96"),
            ("m=video 0 RTP/SAVP 96\r\na=rtpmap:96 H264/90000\r\n", "sent as RTP/SAVP"),
            ("m=video 0 RTP/AVP 96\r\na=rtpmap:96 H264/48000\r\n", "H264"),
            (
                // x265 with 12 bits a sample in 4:4:4.
                "m=video 0 RTP/AVP 96\r\na=rtpmap:96 H265/90000\r\na=fmtp:96 sprop-sps="
                    + "QgEBBAgAAAMAmAgAAAMAAF2QAKBAPCKUt0lJhf/gACAALUGBgYEAAAMAAQAAAwAZCA==\r\n", "12 bits a sample"
            ),
            (
                "m=video 0 RTP/AVP 96\r\na=rtpmap:96 H264/90000\r\na=fmtp:96 packetization-mode=2\r\n",
                "interleaved packets"
            ),
            (
                "m=video 0 RTP/AVP 96\r\na=rtpmap:96 H265/90000\r\na=fmtp:96 sprop-max-don-diff=1\r\n",
                "interleaved packets"
            ),
            (String(repeating: "m=video 0 RTP/AVP 96\r\n", count: 33), "can't be read"),
            (String(repeating: "a=control:x\r\n", count: 2000), "can't be read"),
        ])
    func descriptions(text: String, part: String) throws {
        let error = try ended { $0.description = text }
        #expect(error?.message.contains(part) == true, "\(String(describing: error))")
        #expect(error?.message.contains("\u{1b}") == false)
    }

    @Test("pictures that can't be shown are said where the stream alone tells what they are")
    func unsupportedInBand() throws {
        let world = try PlayWorld()
        world.sendsFrames = false
        world.connect()
        // H.264 High 10, 4:2:0 with 10 bits, 64x64; then an empty keyframe.
        let sps: [UInt8] = [0x67, 110, 0, 10, 0xA6, 0xCB, 0x42, 0x13, 0x20]
        for (sequence, nal) in [sps, [0x68, 0xEE, 0x3C, 0x80], [0x65, 0x88, 0x80]].enumerated() {
            var packet: [UInt8] = []
            RTPHeader(
                marker: sequence == 2, payloadType: PayloadType(97), sequence: UInt16(sequence), timestamp: 5,
                ssrc: SSRC(1)
            ).write(into: &packet, hasExtension: false)
            world.deliver(packet + nal)
        }
        #expect(world.ended?.code == .unsupported)
        #expect(world.ended?.message.contains("10 bits a sample") == true)
    }

    @Test("a camera's grammar does not matter where nothing hangs on it")
    func sloppyDescription() throws {
        let world = try PlayWorld()
        world.server.description =
            "v=0\ns=\nb=AS:x\no=nonsense\na=:\n\na=control:*\nm=video 0 RTP/AVP 97 \nx=y\na=control:track1\n"
            + "b=RR:0\na=rtpmap:97 H264/90000\nc=IN IP4\na=fmtp:97 sprop-parameter-sets=Z2QAKqw,aO48gA,!!,,Z2Q=\nk=x"
        world.sendsParameterSets = false
        world.connect()
        world.run(.seconds(1))
        #expect(world.frames.first?.annexB.starts(with: [0, 0, 0, 1, 0x67, 0x64, 0, 0x2A, 0xAC]) == true)
    }

    @Test(
        "an answer to SETUP without what is needed ends the session",
        arguments: [
            [:], ["Session": "a"], ["Transport": "RTP/AVP;unicast;server_port=6000-6001"],
            ["Session": "a", "Transport": "RTP/AVP;unicast"], ["Session": "a", "Transport": ""],
            ["Session": "a", "Transport": "RTP/AVP;server_port=0-1"],
            ["Session": "a", "Transport": "RTP/AVP;server_port=65535"],
            ["Session": "a", "Transport": "RTP/AVP/TCP;interleaved=255"],
            ["Session": "a", "Transport": "RTP/AVP/TCP;interleaved=5-4"],
            ["Session": "a b", "Transport": "RTP/AVP;server_port=6000-6001"],
        ] as [RTSPHeaders])
    func setUps(headers: RTSPHeaders) throws {
        let error = try ended { server in
            server.override = { $0.method == .setup ? RTSPResponse(.ok, headers: headers) : nil }
        }
        #expect(error?.code == .protocolViolation)
    }

    @Test(
        "junk, cut-off and endless answers end in an error at each state", arguments: states,
        [
            "\u{0}\u{1}\u{2}junk\r\n\r\n", "HTTP/1.1 200 OK\r\n\r\n", "RTSP/2.0 200 OK\r\nCSeq: 1\r\n\r\n",
            "RTSP/1.0 999 X\r\n\r\n", "RTSP/1.0 200 OK\r\nContent-Length: 99999999\r\n\r\n",
            "RTSP/1.0 200 OK\r\nContent-Length: -1\r\n\r\n",
            "RTSP/1.0 200 OK\r\n" + String(repeating: "a: b\r\n", count: 200),
            "RTSP/1.0 200 OK\r\na: " + String(repeating: "x", count: 70_000),
        ])
    func junk(method: RTSPMethod, answer: String) throws {
        let world = try PlayWorld()
        var isAnswered = false
        world.server.override = { request in
            guard request.method == method else { return nil }
            isAnswered = true
            return nil
        }
        // The junk arrives right before the real response.
        world.junkBefore = { isAnswered ? Array(answer.utf8) : [] }
        world.connect()
        world.run(.seconds(30))
        #expect(isAnswered)
        #expect(world.ended?.code == .protocolViolation)
    }

    @Test(
        "a server that stops in the middle of an answer, or answers another question, is given 10 s",
        arguments: states.dropLast())
    func slow(method: RTSPMethod) throws {
        let world = try PlayWorld()
        world.server.override = { request in
            request.method == method ? RTSPResponse(.ok, headers: ["CSeq": "4711"]) : nil
        }
        world.connect()
        world.run(.milliseconds(9999))
        #expect(world.ended == nil)
        world.run(.milliseconds(2))
        #expect(world.ended?.message.contains("did not answer in 10 s") == true)
        #expect(world.engine.statistics.drops["media-stray-response"] == 1)
    }

    @Test("media on a wrong channel, of a wrong type or from a stranger is a counted drop")
    func foreignMedia() throws {
        let world = try PlayWorld()
        world.server.allowsUDP = false
        world.connect()
        world.run(.seconds(1))
        let before = world.frames.count
        world.feed(.received(RTSPMessage.interleaved(channel: 9, [1, 2, 3]).serialised()))
        world.feed(.datagram([0x80, 97], .rtp))
        world.deliver([0x80])
        world.deliver([UInt8](repeating: 0xFF, count: 100), .rtcp)
        var packet: [UInt8] = []
        RTPHeader(marker: true, payloadType: PayloadType(0), sequence: 1, timestamp: 1, ssrc: SSRC(7))
            .write(into: &packet, hasExtension: false)
        world.deliver(packet + [1])
        packet = []
        RTPHeader(marker: true, payloadType: PayloadType(97), sequence: 1, timestamp: 1, ssrc: SSRC(666))
            .write(into: &packet, hasExtension: false)
        world.deliver(packet + [0x65, 0x80])
        #expect(world.frames.count == before)
        let drops = world.engine.statistics.drops
        #expect(drops["media-foreign-channel"] == 2 && drops["media-malformed"] == 2)
        #expect(drops["media-unknown-payload-type"] == 1 && drops["media-foreign-stream"] == 1)
        world.run(.seconds(1))
        #expect(world.frames.count >= before + 24 && !world.indices.contains(nil))
    }

    @Test("datagrams of junk of every length are counted, and the stream goes on")
    func junkDatagrams() throws {
        let world = try PlayWorld()
        world.connect()
        world.run(.seconds(1))
        var generator = SeededGenerator(seed: 6)
        for length in 0..<1500 {
            var junk = (0..<length).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
            world.deliver(junk, length.isMultiple(of: 2) ? .rtp : .rtcp)
            // The same behind a valid beginning, each with a different SSRC.
            if length >= 2 { (junk[0], junk[1]) = (0x80, 97) }
            world.deliver(junk)
        }
        world.run(.seconds(2))
        #expect(world.ended == nil && world.playing.count == 1)
        #expect(world.frames.count >= 70 && !world.indices.contains(nil))
    }

    @Test("the server's own requests are answered; it may end the session, and not lead us elsewhere")
    func serverRequests() throws {
        let world = try PlayWorld()
        world.connect()
        world.run(.seconds(1))
        world.feed(.received(Array("OPTIONS * RTSP/1.0\r\nCSeq: 77\r\n\r\n".utf8)))
        world.feed(.received(Array("ANNOUNCE * RTSP/1.0\r\nCSeq: 78\r\n\r\n".utf8)))
        let text = String(decoding: world.sent, as: UTF8.self)
        #expect(text.contains("RTSP/1.0 200 OK\r\nCSeq: 77\r\n") && text.contains("RTSP/1.0 501"))
        world.feed(.received(Array("REDIRECT * RTSP/1.0\r\nCSeq: 79\r\nLocation: rtsp://x/y\r\n\r\n".utf8)))
        #expect(world.ended?.message.contains("moved to rtsp://x/y") == true)

        let other = try PlayWorld()
        other.connect()
        other.run(.seconds(1))
        other.feed(.received(Array("TEARDOWN * RTSP/1.0\r\nCSeq: 79\r\n\r\n".utf8)))
        #expect(other.ended?.code == .ended)
    }

    @Test("a closed connection is said, before and in the session")
    func disconnected() throws {
        let world = try PlayWorld()
        world.server.override = { $0.method == .options ? RTSPResponse(.ok, headers: ["CSeq": "9"]) : nil }
        world.connect()
        world.feed(.disconnected)
        #expect(world.ended?.message.contains("is it an RTSP server?") == true)

        let playing = try PlayWorld()
        playing.connect()
        playing.run(.seconds(1))
        playing.feed(.disconnected)
        #expect(playing.ended?.code == .unreachable)
    }

    @Test("a session that the server has forgotten ends, to be begun again")
    func forgotten() throws {
        let error = try ended { server in
            server.override = { $0.method == .getParameter ? RTSPResponse(.sessionNotFound) : nil }
        }
        #expect(error?.code == .unreachable)
    }
}
