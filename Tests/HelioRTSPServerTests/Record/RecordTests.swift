import HelioCore
import HelioMedia
import HelioOpenSSL
import HelioProtection
import HelioRTP
import HelioRTSP
import HelioRTSPServer
import HelioSession
import HelioSimulation
import Testing

@Suite("Publishing to this end: ANNOUNCE and RECORD")
struct RecordTests {
    private let id = RecordWorld.id(1)
    private let other = RecordWorld.id(2)

    @Test("a publisher's frames come out whole and in order, over UDP and TCP", arguments: [true, false])
    func frames(isInterleaved: Bool) throws {
        let world = RecordWorld()
        world.publish(id, isInterleaved ? RecordWorld.tcp : RecordWorld.udp)
        for number in 0..<50 {
            world.frame(keyframe: number % 25 == 0, on: isInterleaved ? id : nil)
            world.advance(.milliseconds(40))
        }
        #expect(world.indices == (0..<50).map { $0 })
        #expect(world.frames.map(\.frameIndex) == Array(0..<50))
        #expect(world.events == [isInterleaved ? "playing, tcp" : "playing, udp"])
        #expect(world.aim.map { [$0.rtp, $0.rtcp] } == (isInterleaved ? nil : [5000, 5001]))
        // Receiver reports inform the publisher of the reception.
        world.frame(on: isInterleaved ? id : nil)
        world.advance(.seconds(6))
        let blocks = world.reports.compactMap { packet -> ReportBlock? in
            if case .receiverReport(let report) = packet { report.reports.first } else { nil }
        }
        #expect(blocks.last?.ssrc == SSRC(7) && blocks.last?.cumulativeLost == 0)
        #expect(world.host.statistics.video.frames == 51)
    }

    @Test("SETUP answers with session, ports or channels, and mode")
    func answers() throws {
        let world = RecordWorld()
        world.connect(id)
        #expect(world.ask(.options, on: id)?.headers["Public"]?.contains("ANNOUNCE, SETUP, RECORD") == true)
        #expect(world.announce(on: id) == .ok)
        let udp = try #require(world.setUp(RecordWorld.video, RecordWorld.udp, on: id))
        let header = try #require(udp.headers["Transport"].flatMap(TransportHeader.list)?.first)
        #expect(header.transport == "RTP/AVP" && header.mode == "RECORD")
        #expect(header.clientPorts == 5000...5001 && header.serverPorts == 6970...6971)
        #expect(udp.headers.session?.timeout == 20)
        // Without requested channels, the sound gets channels different from the video's.
        let sound = try #require(world.setUp(RecordWorld.audio, "RTP/AVP/TCP;unicast;mode=record", on: id))
        #expect(sound.headers["Transport"]?.contains("interleaved=2-3") == true)
    }

    @Test("sound is agreed to and dropped")
    func sound() {
        let world = RecordWorld()
        world.connect(id)
        world.announce(on: id)
        #expect(world.setUp(RecordWorld.audio, "RTP/AVP/TCP;interleaved=0-1;mode=record", on: id)?.status == .ok)
        #expect(world.ask(.record, on: id)?.status == .invalidState, "the video is missing")
        #expect(
            world.setUp(RecordWorld.video, "RTP/AVP/TCP;interleaved=1-2;mode=record", on: id)?.status
                == .unsupportedTransport, "the channel is taken")
        #expect(world.setUp(on: id)?.status == .ok)
        #expect(world.ask(.record, on: id)?.status == .ok)
        world.frame(keyframe: true, on: id)
        world.feed(.received(id, RTSPMessage.interleaved(channel: 0, [1, 2, 3]).serialised()))
        world.feed(.received(id, RTSPMessage.interleaved(channel: 9, [1, 2, 3]).serialised()))
        #expect(world.indices == [0])
        #expect(world.host.statistics.drops == ["media-foreign-channel": 1])
    }

    @Test("one publishes at a time; the next may when the first has left, and its frames go on counting")
    func oneAtATime() {
        let world = RecordWorld()
        world.publish(id)
        world.frame(keyframe: true, on: id)
        world.connect(other)
        #expect(world.announce(on: other) == .serviceUnavailable)
        #expect(world.events.last == "refused: another program publishes already")
        world.frame(on: id)
        #expect(world.indices == [0, 1], "the first is not disturbed")
        #expect(world.ask(.teardown, on: id)?.status == .ok)
        #expect(world.events.last == "left: has left")
        world.publish(other)
        world.packetizer = RTPPacketizer.plain(ssrc: 9, firstSequence: 60_000)
        world.frame(keyframe: true, on: other)
        #expect(world.frames.map(\.frameIndex) == [0, 1, 2])
        #expect(world.events.last == "playing, tcp")
        // The first publisher is rejected now.
        #expect(world.announce(on: id) == .serviceUnavailable)
    }

    @Test("PAUSE holds the stream, RECORD lets it go on")
    func pause() {
        let world = RecordWorld()
        world.publish(id)
        world.frame(keyframe: true, on: id)
        #expect(world.ask(.pause, on: id)?.status == .ok)
        world.send([0x80], on: id)
        #expect(world.host.statistics.drops["media-foreign-channel"] == 1)
        world.advance(.seconds(15))
        #expect(world.ask(.record, on: id)?.status == .ok)
        world.advance(.seconds(15))
        world.frame(keyframe: true, on: id)
        #expect(world.frames.count == 2 && world.closed.isEmpty)
    }

    @Test("a keyframe is asked for after a loss, where the description offers it", arguments: [true, false])
    func pictureLoss(isOffered: Bool) {
        let world = RecordWorld()
        world.connect(id)
        let profile = isOffered ? "RTP/AVPF" : "RTP/AVP"
        world.announce(RecordWorld.description.replacing("video 0 RTP/AVP", with: "video 0 \(profile)"), on: id)
        let setup = world.setUp(RecordWorld.video, "\(profile)/TCP;unicast;interleaved=2-3;mode=record", on: id)
        #expect(setup?.headers["Transport"]?.hasPrefix("\(profile)/TCP") == true)
        world.ask(.record, on: id)
        world.frame(keyframe: true, on: id)
        #expect(world.pictureLosses == 0)
        for packet in world.packets().dropFirst() { world.send(packet, on: id) }
        for _ in 0..<10 {
            world.frame(on: id)
            world.advance(.milliseconds(40))
        }
        #expect(world.frames.count == 1)
        #expect(isOffered ? (1...5).contains(world.pictureLosses) : world.pictureLosses == 0)
        world.frame(keyframe: true, on: id)
        #expect(world.frames.count == 2)
    }

    @Test("digest authentication: the answer to the challenge lets a publisher in, nothing else does")
    func digest() throws {
        let credentials = try #require(ServerCredentials(username: "anna", password: Array("sesame".utf8)))
        let world = RecordWorld(credentials: credentials)
        world.connect(id)
        #expect(world.ask(.options, on: id)?.status == .ok)
        #expect(world.announce(on: id) == .unauthorized)
        var authentication = Publisher(user: "anna", password: "wrong")
        #expect(world.announce(as: authentication, on: id) == .unauthorized)
        authentication.password = "sesame"
        #expect(world.announce(as: authentication, naming: RecordWorld.uri + "/elsewhere", on: id) == .unauthorized)
        #expect(world.announce(as: authentication, on: id) == .ok)
        #expect(world.setUp(on: id)?.status == .unauthorized, "every request shows it")
        #expect(world.events.contains("refused: wrong-credentials"))
        #expect(world.host.statistics.drops["refused-wrong-credentials"] == 1)
    }
}

/// Answers the last challenge of a 401 response.
struct Publisher {
    var user: String
    var password: String
}

extension RecordWorld {
    /// Sends ANNOUNCE once without and once with credentials.
    func announce(as publisher: Publisher, naming named: String = uri, on id: ConnectionID) -> RTSPStatus? {
        let first = ask(.announce, Self.uri, ["Content-Type": "application/sdp"], on: id)
        guard let challenge = first?.headers["WWW-Authenticate"].flatMap({ DigestChallenge.list($0).first }) else {
            return nil
        }
        let quality = DigestCredentials.Quality(nonceCount: 1, clientNonce: "c")
        let answer = DigestResponse(
            algorithm: challenge.algorithm == .sha256 ? .sha256 : .md5, username: publisher.user,
            realm: challenge.realm, password: SecretBytes(Array(publisher.password.utf8)), nonce: challenge.nonce,
            quality: .init(nonceCount: quality.count, clientNonce: quality.clientNonce))
        guard let response = try? answer.value(method: "ANNOUNCE", uri: named, crypto: OpenSSLCrypto()) else {
            return nil
        }
        let shown = DigestCredentials(
            username: publisher.user, realm: challenge.realm, nonce: challenge.nonce, uri: named, response: response,
            algorithm: challenge.algorithm, quality: quality)
        return ask(
            .announce, Self.uri, ["Content-Type": "application/sdp", "Authorization": shown.value],
            body: Array(Self.description.utf8), on: id)?.status
    }
}
