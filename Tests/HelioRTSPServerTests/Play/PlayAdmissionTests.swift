import HelioCore
import HelioOpenSSL
import HelioProtection
import HelioRTSP
import HelioRTSPServer
import HelioSession
import Testing

@Suite("A player's session: digest authentication")
struct PlayAdmissionTests {
    private let id = PlayWorld.id(1)

    private static func world() throws -> PlayWorld {
        let credentials: ServerCredentials = try #require(
            ServerCredentials(username: "anna", password: Array("open sesame".utf8)))
        return PlayWorld(credentials: credentials)
    }

    /// Returns a client's `Authorization` header for a challenge.
    private static func answer(
        _ challenge: DigestChallenge, _ method: RTSPMethod, count: UInt32?, name: String = "anna",
        password: String = "open sesame", uri: String = PlayWorld.screen
    ) throws -> String {
        let quality = count.map { DigestCredentials.Quality(nonceCount: $0, clientNonce: "c0ffee") }
        let response = DigestResponse(
            algorithm: challenge.algorithm == .md5 ? .md5 : .sha256, username: name, realm: challenge.realm,
            password: SecretBytes(Array(password.utf8)), nonce: challenge.nonce,
            quality: quality.map { .init(nonceCount: $0.count, clientNonce: $0.clientNonce) })
        return DigestCredentials(
            username: name, realm: challenge.realm, nonce: challenge.nonce, uri: uri,
            response: try response.value(method: method.rawValue, uri: uri, crypto: OpenSSLCrypto()),
            algorithm: challenge.algorithm, quality: quality
        ).value
    }

    private static func challenges(_ response: RTSPResponse?) -> [DigestChallenge] {
        (response?.headers.all("WWW-Authenticate") ?? []).flatMap { DigestChallenge.list($0) }
    }

    private func describe(_ world: PlayWorld, _ header: String?, on id: ConnectionID? = nil) -> RTSPResponse? {
        world.ask(
            .describe, PlayWorld.screen, header.map { ["Authorization": $0] } ?? [:], on: id ?? self.id)
    }

    @Test("SHA-256, MD5, and RFC 2069's answer are taken", arguments: [(0, 1), (1, 1), (1, nil)] as [(Int, UInt32?)])
    func accepted(_ offer: Int, _ count: UInt32?) throws {
        let world = try Self.world()
        world.connect(id)
        #expect(world.ask(.options, "*", on: id)?.status == .ok)
        let challenges = Self.challenges(describe(world, nil))
        #expect(challenges.map(\.algorithm) == [.sha256, .md5])
        #expect(challenges.allSatisfy { $0.offersQuality && !$0.isStale })
        #expect(describe(world, try Self.answer(challenges[offer], .describe, count: count))?.status == .ok)
        // The same authentication works for the whole dialogue.
        func header(_ method: RTSPMethod, _ number: UInt32) throws -> String {
            try Self.answer(challenges[offer], method, count: count.map { $0 + number }, uri: PlayWorld.screen)
        }
        let setup = world.ask(
            .setup, PlayWorld.video,
            ["Transport": "RTP/AVP/TCP;interleaved=0-1", "Authorization": try header(.setup, 1)], on: id)
        let session = try #require(setup?.headers.session?.id)
        let play = world.ask(
            .play, PlayWorld.screen, ["Session": session, "Authorization": try header(.play, 2)], on: id)
        #expect(play?.status == .ok)
        world.advance(.milliseconds(100))
        #expect(!world.packets(id).isEmpty)
    }

    @Test(
        "nothing but OPTIONS is answered without credentials",
        arguments: ["DESCRIBE", "SETUP", "PLAY", "PAUSE", "TEARDOWN", "GET_PARAMETER", "SET_PARAMETER"])
    func nothingWithout(method: String) throws {
        let world = try Self.world()
        world.connect(id)
        let answer = world.ask(
            RTSPMethod(rawValue: method), PlayWorld.video, ["Transport": "RTP/AVP/TCP;interleaved=0-1"], on: id)
        #expect(answer?.status == .unauthorized)
        #expect(!world.isWatched && world.media.isEmpty)
    }

    @Test(
        "a wrong answer is refused",
        arguments: [
            ("eve", "open sesame", PlayWorld.screen, "DESCRIBE"), ("anna", "open", PlayWorld.screen, "DESCRIBE"),
            ("anna", "open sesame", PlayWorld.screen, "PLAY"),
            ("anna", "open sesame", "rtsp://10.0.0.1/elsewhere", "DESCRIBE"),
        ])
    func refused(name: String, password: String, uri: String, method: String) throws {
        let world = try Self.world()
        world.connect(id)
        for challenge in Self.challenges(describe(world, nil)) {
            let header = try Self.answer(
                challenge, RTSPMethod(rawValue: method), count: 1, name: name, password: password, uri: uri)
            let answer = describe(world, header)
            #expect(answer?.status == .unauthorized)
            #expect(Self.challenges(answer).allSatisfy { !$0.isStale || $0.nonce != challenge.nonce })
        }
        #expect(!world.isWatched)
        #expect(world.events.contains { if case .refused = $0 { true } else { false } })
    }

    @Test("an answer is taken once; a higher count goes on, an older one is refused")
    func replayed() throws {
        let world = try Self.world()
        world.connect(id)
        let challenge = try #require(Self.challenges(describe(world, nil)).first)
        let third = try Self.answer(challenge, .describe, count: 3)
        #expect(describe(world, third)?.status == .ok)
        let again = describe(world, third)
        #expect(again?.status == .unauthorized)
        #expect(world.host.statistics.drops["refused-replayed-credentials"] == 1)
        // The nonce is void after that; a genuine player continues with the new one.
        let fresh = try #require(Self.challenges(again).first)
        #expect(fresh.isStale && fresh.nonce != challenge.nonce)
        #expect(describe(world, try Self.answer(challenge, .describe, count: 4))?.status == .unauthorized)
        let next = try #require(Self.challenges(describe(world, nil)).first)
        #expect(describe(world, try Self.answer(next, .describe, count: 1))?.status == .ok)
    }

    @Test("an answer that was overheard is worth nothing on another connection")
    func otherConnection() throws {
        let world = try Self.world()
        world.connect(id)
        let challenge = try #require(Self.challenges(describe(world, nil)).last)
        let header = try Self.answer(challenge, .describe, count: nil)
        #expect(describe(world, header)?.status == .ok)
        let thief = PlayWorld.id(2)
        world.connect(thief, from: "10.0.0.66")
        #expect(describe(world, header, on: thief)?.status == .unauthorized)
        #expect(describe(world, header, on: thief)?.status == .unauthorized)
    }

    @Test("an old nonce is answered with stale=true and a fresh one")
    func stale() throws {
        let world = try Self.world()
        world.connect(id)
        let challenge = try #require(Self.challenges(describe(world, nil)).first)
        for count in 1...30 {
            let answer = describe(world, try Self.answer(challenge, .describe, count: UInt32(count)))
            #expect(answer?.status == .ok)
            world.advance(.milliseconds(9_990))
        }
        world.advance(.milliseconds(300))
        let late = describe(world, try Self.answer(challenge, .describe, count: 31))
        let fresh = try #require(Self.challenges(late).first)
        #expect(late?.status == .unauthorized && fresh.isStale)
        #expect(describe(world, try Self.answer(fresh, .describe, count: 1))?.status == .ok)
    }

    @Test("guesses from an address wait for its tries, and what is right there or elsewhere is let in")
    func guessing() throws {
        let world = try Self.world()
        var guessers: [ConnectionID] = []
        for attempt in 0..<20 {
            let id = PlayWorld.id(UInt64(100 + attempt))
            world.connect(id, from: "10.0.0.66")
            let challenge = try #require(Self.challenges(describe(world, nil, on: id)).first)
            let header = try Self.answer(challenge, .describe, count: 1, password: "guess \(attempt)")
            let answer = describe(world, header, on: id)
            #expect(answer?.status == (attempt < 5 ? .unauthorized : nil))
            if answer == nil { guessers.append(id) }
        }
        world.connect(id)
        let challenge = try #require(Self.challenges(describe(world, nil)).first)
        #expect(describe(world, try Self.answer(challenge, .describe, count: 1))?.status == .ok)

        // A client with valid credentials at the guessers' address is admitted in its turn, and uses up nobody's
        // attempts.
        for guesser in guessers.dropFirst(2) { world.disconnect(guesser) }
        let late = PlayWorld.id(200)
        world.connect(late, from: "10.0.0.66")
        let asked = try #require(Self.challenges(describe(world, nil, on: late)).first)
        #expect(describe(world, try Self.answer(asked, .describe, count: 1), on: late) == nil)
        world.say("OPTIONS * RTSP/1.0\r\nCSeq: 900\r\n\r\n", on: late)
        world.advance(.milliseconds(4_900))
        #expect(world.takeResponses(guessers[0]).isEmpty)
        world.advance(.milliseconds(200))
        #expect(world.takeResponses(guessers[0]).map(\.status) == [.unauthorized])
        #expect(world.takeResponses(guessers[1]).isEmpty && world.takeResponses(late).isEmpty)
        world.advance(.seconds(10))
        #expect(world.takeResponses(guessers[1]).map(\.status) == [.unauthorized])
        #expect(world.takeResponses(late).map(\.status) == [.ok, .ok], "and what was asked behind it is answered too")
        #expect(describe(world, try Self.answer(asked, .describe, count: 2), on: late)?.status == .ok)
    }

    @Test("who sends on and on while a try is awaited is put out")
    func impatient() throws {
        let world = try Self.world()
        for attempt in 0..<6 {
            let id = PlayWorld.id(UInt64(100 + attempt))
            world.connect(id)
            let challenge = try #require(Self.challenges(describe(world, nil, on: id)).first)
            _ = describe(world, try Self.answer(challenge, .describe, count: 1, password: "no"), on: id)
        }
        let last = PlayWorld.id(105)
        let junk = String(repeating: "OPTIONS * RTSP/1.0\r\nCSeq: 1\r\n\r\n", count: 100)
        for _ in 0..<100 where !world.closed.contains(last) { world.say(junk, on: last) }
        #expect(world.closed.contains(last))
    }

    @Test("who tries one wrong password until cut off is let in when it is right the next time")
    func corrected() throws {
        let world = try Self.world()
        world.connect(id)
        var tries = 0
        while !world.closed.contains(id) {
            let challenge = try #require(Self.challenges(describe(world, nil)).first)
            let header = try Self.answer(challenge, .describe, count: 1, password: "open")
            #expect(describe(world, header)?.status == .unauthorized)
            tries += 1
            try #require(tries < 10)
        }
        let next = PlayWorld.id(2)
        world.connect(next)
        let challenge = try #require(Self.challenges(describe(world, nil, on: next)).first)
        #expect(describe(world, try Self.answer(challenge, .describe, count: 1), on: next)?.status == .ok)
    }

    @Test(
        "credentials that players could not write are refused",
        arguments: [("", "x"), ("x", ""), ("a:b", "x"), ("a\"b", "x"), ("a\\", "x"), ("a\nb", "x"), ("x", "a\u{7F}")])
    func credentials(name: String, password: String) {
        #expect(ServerCredentials(username: name, password: Array(password.utf8)) == nil)
        #expect(ServerCredentials(username: "ok", password: Array("it's \"fine\"".utf8)) != nil)
    }
}
