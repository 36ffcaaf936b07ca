import HelioCore
import HelioMedia
import HelioRTSP
import HelioRTSPClient
import HelioRTSPServer
import Testing

@Suite("Publishing: servers that refuse, vanish and come back")
struct RecordReturnTests {
    private func world(_ change: (ScriptedServer) -> Void = { _ in }) throws -> (RecordWorld, ScriptedServer) {
        let server = ScriptedServer()
        change(server)
        return (try RecordWorld(.server(server), address: "rtsp://anna:hunter2@10.0.0.1:8554/live"), server)
    }

    @Test(
        "what is refused for good is said once, with what to do, and not tried again",
        arguments: [
            (RTSPMethod.announce, RTSPStatus.notFound, "no stream of this name"),
            (.announce, .forbidden, "lets nobody"),
            (.announce, .methodNotAllowed, "only plays its own"), (.announce, .notImplemented, "only plays its own"),
            (.announce, .unsupportedMediaType, "another codec"), (.announce, .badRequest, "(400)"),
            (.setup, .unsupportedTransport, "neither over UDP nor over TCP"),
            (.setup, .notFound, "no stream of this name"),
            (.record, .notAcceptable, "(406)"), (.announce, RTSPStatus(301, "Moved"), "moved to rtsp://other:99/x"),
        ])
    func refused(method: RTSPMethod, status: RTSPStatus, part: String) throws {
        let (world, _) = try world { server in
            server.override = { request in
                request.method == method
                    ? RTSPResponse(status, headers: ["Location": "rtsp://u:secret@other:99/x"]) : nil
            }
        }
        world.run(.seconds(300))
        #expect(world.events.count == 1 && world.events[0].hasPrefix("failed: "))
        #expect(world.events[0].contains(part) && !world.events[0].contains("secret"), "\(world.events)")
        #expect(world.connections == 1 && !world.isConnected && !world.isWatched && world.engine.deadline == nil)
    }

    @Test("a wrong password is tried once, and said without repeating it")
    func wrongPassword() throws {
        let (world, server) = try world { $0.credentials = ("anna", "other") }
        world.run(.seconds(60))
        #expect(world.events == ["failed: The server does not take this user and password."])
        #expect(server.methodsSeen == ["OPTIONS", "ANNOUNCE", "ANNOUNCE"])
        #expect(!String(decoding: world.sent, as: UTF8.self).contains("hunter2"))
    }

    @Test("without credentials the error says how to give them; Basic is never answered")
    func noCredentials() throws {
        let server = ScriptedServer()
        server.credentials = ("anna", "other")
        let world = try RecordWorld(.server(server))
        world.run(.seconds(1))
        #expect(world.events == ["failed: The server wants a user and a password."])
        #expect(world.remedy == .givePublishCredentials)

        let (basic, _) = try self.world { server in
            server.override = { _ in
                RTSPResponse(.unauthorized, headers: ["WWW-Authenticate": "Basic realm=\"x\""])
            }
        }
        basic.run(.seconds(1))
        #expect(basic.events.count == 1 && basic.events[0].contains("turn on digest authentication"))
        #expect(!String(decoding: basic.sent, as: UTF8.self).contains("Authorization"))
    }

    @Test(
        "a server that is busy is asked again without haste, and told of once",
        arguments: [(RTSPStatus.invalidState, 5), (.serviceUnavailable, 20), (.internalError, 5)])
    func busy(status: RTSPStatus, seconds: Int) throws {
        var isBusy = true
        let (world, _) = try world { server in
            server.override = { request in
                request.method == .announce && isBusy
                    ? RTSPResponse(status, headers: ["Retry-After": "20"]) : nil
            }
        }
        world.run(.milliseconds(seconds * 1000 - 1))
        #expect(world.connections == 1 && world.events.count == 1 && world.events[0].hasPrefix("waiting: "))
        world.run(.seconds(40))
        #expect(world.connections == 1 + 40 / seconds && world.events.count == 1)
        isBusy = false
        world.run(.seconds(seconds))
        #expect(world.events.last == "published, udp")
    }

    @Test(
        "a server that goes and comes back gets the stream again by itself, with a keyframe", arguments: [1, 60, 600])
    func comesBack(seconds: Int) throws {
        let host = RecordWorld.host()
        let world = try RecordWorld(.host(host), isInterleavedOnly: true)
        world.run(.seconds(10))
        let before = world.frames.count
        world.crash()
        #expect(world.events.last == "lost: The server closed the connection.")
        #expect(!world.isWatched, "nothing is coded for nobody")
        world.run(.seconds(seconds))
        #expect(world.frames.count == before)
        let tries = world.connections
        #expect(seconds > 120 ? tries < 1400 : tries <= seconds * 10 + 1, "\(tries)")
        world.isListening = true
        world.run(seconds > 120 ? .seconds(6) : .seconds(1))
        #expect(world.events.last == "published, tcp" && world.events.count(where: { $0.hasPrefix("lost") }) == 1)
        world.run(.seconds(1))
        #expect(world.frames.count >= before + 20 && world.frames[before].isKeyframe)
        #expect(world.engine.statistics.sessions == 2)
        #expect(world.engine.statistics.sent.frames == world.frames.count)
    }

    @Test("a server that takes the stream and then hangs up is not overrun with tries")
    func hangsUp() throws {
        let (world, _) = try world()
        for _ in 0..<10 {
            world.run(.seconds(1))
            world.hangUp()
            world.run(.seconds(5))
        }
        #expect(world.connections <= 12, "\(world.connections)")
    }

    @Test("what refuses after it has taken the stream is tried again: its old session may still be there")
    func oldSession() throws {
        var refuses = false
        let (world, _) = try world { server in
            server.override = { request in
                request.method == .announce && refuses ? RTSPResponse(.badRequest) : nil
            }
        }
        world.run(.seconds(10))
        refuses = true
        world.hangUp()
        world.run(.seconds(20))
        #expect(world.events.last == "waiting: The server refuses to announce the stream (400).")
        refuses = false
        world.run(.seconds(6))
        #expect(world.events.last == "published, udp")
    }

    @Test(
        "a server that does not answer is given 10 s, wherever it falls silent",
        arguments: [RTSPMethod.options, .announce, .setup, .record])
    func silent(method: RTSPMethod) throws {
        let (world, _) = try world { server in
            server.override = { request in
                request.method == method ? RTSPResponse(.ok, headers: ["CSeq": "4711"]) : nil
            }
        }
        world.run(.milliseconds(9990))
        #expect(world.events.isEmpty && world.connections == 1)
        world.run(.milliseconds(100))
        #expect(world.events == ["waiting: The server did not answer in 10 s."])
        #expect(world.engine.statistics.drops["publication-stray-response"] == 1)
        world.run(.seconds(100))
        #expect(world.events.count == 1 && (7...8).contains(world.connections), "\(world.connections)")
    }

    @Test("a server that answered keep-alives and does no more is lost; one that never did is not")
    func fallsSilent() throws {
        let (world, _) = try world()
        world.run(.seconds(25))
        world.isSilent = true
        world.run(.seconds(31))
        #expect(world.events.prefix(2) == ["published, udp", "lost: The server no longer answers."])
        world.isSilent = false
        world.run(.seconds(20))
        #expect(world.events.last == "published, udp")

        var isRecording = false
        let (mute, _) = try self.world { server in
            server.override = { request in
                if request.method == .record { isRecording = true }
                return isRecording && [.getParameter, .options].contains(request.method)
                    ? RTSPResponse(.ok, headers: ["CSeq": "0"]) : nil
            }
        }
        mute.run(.seconds(300))
        #expect(mute.events == ["published, udp"])
    }

    @Test("a session that the server has forgotten, or ended, is begun again")
    func forgotten() throws {
        var forgets = true
        let (world, _) = try world { server in
            server.override = { request in
                request.method == .getParameter && forgets ? RTSPResponse(.sessionNotFound) : nil
            }
        }
        world.run(.seconds(10) + .milliseconds(50))
        forgets = false
        world.run(.seconds(1))
        #expect(
            world.events == ["published, udp", "lost: The server has forgotten the session.", "published, udp"])
        world.run(.seconds(6))
        world.feed(.received(Array("TEARDOWN * RTSP/1.0\r\nCSeq: 7\r\n\r\n".utf8)))
        world.run(.seconds(1))
        #expect(world.events.suffix(2) == ["lost: The server has ended the session.", "published, udp"])
    }

    @Test("our endpoint that somebody else publishes to is waited for")
    func taken() throws {
        let host = RecordWorld.host()
        let world = try RecordWorld(.host(host))
        // Another publisher connects, and stays.
        let other = ConnectionID(1000)
        host.handle(.connected(other, address: "10.0.0.3"), now: .zero)
        let announce = RTSPRequest(
            .announce, uri: RecordWorld.uri, headers: ["CSeq": "1", "Content-Type": "application/sdp"],
            body: Array(ScriptedServer.h264.utf8))
        host.handle(.received(other, announce.serialised()), now: .zero)
        world.run(.seconds(8))
        #expect(world.events == ["waiting: The server is busy (503): does another program publish there?"])
        host.handle(.disconnected(other), now: world.now)
        world.run(.seconds(6))
        #expect(world.events.last == "published, udp")
    }
}
