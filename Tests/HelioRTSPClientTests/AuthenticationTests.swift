import HelioCore
import HelioRTSP
import HelioRTSPClient
import Testing

@Suite("Digest authentication of a player")
struct AuthenticationTests {
    private func world(_ address: String = "rtsp://anna:s%3Acret@10.0.0.1:8554/cam") throws -> PlayWorld {
        let world = try PlayWorld(address)
        world.server.credentials = ("anna", "s:cret")
        return world
    }

    @Test(
        "a challenge is answered, and the password itself goes nowhere",
        arguments: [(DigestAlgorithm.sha256, true), (.md5, true), (.md5, false)])
    func digest(algorithm: DigestAlgorithm, offersQuality: Bool) throws {
        let world = try world()
        world.server.challenge = DigestChallenge(
            realm: "a \"realm\"", nonce: "n", opaque: "o", algorithm: algorithm, offersQuality: offersQuality)
        world.connect()
        world.run(.seconds(25))
        #expect(world.ended == nil && world.frames.count > 600)
        // Only the first request is challenged.
        #expect(
            world.server.methodsSeen == [
                "OPTIONS", "DESCRIBE", "DESCRIBE", "SETUP", "PLAY", "GET_PARAMETER", "GET_PARAMETER",
            ])
        let text = String(decoding: world.sent, as: UTF8.self)
        #expect(!text.contains("s:cret") && !text.contains("s%3Acret") && !text.contains("@10.0.0.1"))
        #expect(text.contains("algorithm=SHA-256") == (algorithm == .sha256))
        let counts = world.server.requests.compactMap {
            $0.headers["Authorization"].flatMap { DigestCredentials($0) }?.quality?.nonceCount
        }
        #expect(counts == (offersQuality ? [1, 2, 3, 4, 5] : []))
    }

    @Test("a wrong password is tried once, and said without repeating it")
    func wrongPassword() throws {
        let world = try world("rtsp://anna:hunter2@10.0.0.1:8554/cam")
        world.connect()
        #expect(world.ended?.code == .refused)
        #expect(world.ended?.message == "The server does not take this user and password.")
        #expect(world.server.methodsSeen == ["OPTIONS", "DESCRIBE", "DESCRIBE"])
    }

    @Test("a server that calls each answer stale is not answered for ever")
    func endlessStale() throws {
        let world = try world()
        world.server.nonceLasts = 0
        world.connect()
        #expect(world.ended?.code == .refused)
        #expect(world.server.requests.count <= 5)
    }

    @Test("a nonce that has aged is replaced without a word")
    func stale() throws {
        let world = try world()
        world.server.nonceLasts = 2
        world.connect()
        world.run(.seconds(61))
        #expect(world.ended == nil)
        #expect(world.playing.count == 1)
    }

    @Test("without credentials the error says how to give them")
    func noCredentials() throws {
        let world = try world(ScriptedServer.uri)
        world.connect()
        #expect(world.ended?.code == .refused)
        #expect(world.ended?.remedy == .givePlayCredentials)
    }

    @Test(
        "a password is never given in the clear",
        arguments: ["Basic realm=\"cam\"", "Bearer", "Digest realm=\"x\"", "Digest nonce=\"", ""])
    func basic(challenge: String) throws {
        let world = try world()
        world.server.override = { request in
            request.method == .describe
                ? RTSPResponse(.unauthorized, headers: ["WWW-Authenticate": challenge]) : nil
        }
        world.connect()
        #expect(world.ended?.message.contains("turn on digest authentication") == true)
        #expect(!String(decoding: world.sent, as: UTF8.self).contains("Authorization"))
    }

    @Test("of Basic, MD5 and SHA-256 the last is answered")
    func strongest() throws {
        let world = try world()
        world.server.override = { request in
            guard request.method == .describe, request.headers["Authorization"] == nil else { return nil }
            var headers: RTSPHeaders = ["WWW-Authenticate": "Basic realm=\"cam\""]
            headers.append("WWW-Authenticate", DigestChallenge(realm: "cam", nonce: "n1", algorithm: .md5).value)
            headers.append("WWW-Authenticate", DigestChallenge(realm: "cam", nonce: "n1", algorithm: .sha256).value)
            return RTSPResponse(.unauthorized, headers: headers)
        }
        world.connect()
        world.run(.seconds(1))
        #expect(world.playing.count == 1)
    }
}
