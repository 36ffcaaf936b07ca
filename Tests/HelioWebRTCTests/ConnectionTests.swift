import HelioCore
import HelioTestLanes
import HelioTestPrograms
import HelioWebRTC
import NIOCore
import NIOEmbedded
import NIOPosix
import Testing

/// Two ends that use the library, over real sockets of this machine.
@Suite("Two ends of the library", .timeLimit(.minutes(1)), .tags(.quiet))
struct ConnectionTests {
    /// The kind of path between the ends.
    enum Way: String, CaseIterable, CustomStringConvertible {
        case udp, tcp, ipv6
        var description: String { rawValue }

        var settings: WebRTCEndpoint.Options {
            var settings = WebRTCEndpoint.Options.onLoopback
            switch self {
            case .udp: break
            case .tcp: settings.usesUDP = false
            case .ipv6: settings.addresses = ["::1"]
            }
            return settings
        }

        var mark: String {
            switch self {
            case .udp: "127.0.0.1"
            case .tcp: "tcp"
            case .ipv6: "[::1]"
            }
        }
    }

    @Test("messages of all kinds arrive by any way", arguments: Way.allCases)
    func messages(by way: Way) async throws {
        let a = try await PeerEnd.make(way.settings)
        let b = try await PeerEnd.make(way.settings)
        let chat = try await a.peer.openChannel("chat")
        try await a.connect(to: b)
        #expect(try await a.channel("chat") == chat)
        let theirs = try await b.channel("chat")
        #expect(theirs.isByPeer && !chat.isByPeer)
        let all: [DataMessage] = [
            .text("hello"), .text(""), .binary([]), .binary([0]), .text("→ åäö"),
            .binary((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }),
        ]
        for message in all { try await chat.send(message) }
        for message in all {
            let came = try await b.message()
            #expect(came == message)
            try await theirs.send(came)
        }
        for message in all { #expect(try await a.message() == message) }
        let path = try #require(await a.peer.statistics().path?.description)
        #expect(path.contains(way.mark), "\(path)")
        await a.peer.close()
        await a.end()
        try await b.state(.closed)
        await b.end()
        await a.endpoint.close()
        await b.endpoint.close()
    }

    @Test("on the application's event loop, which goes on without them")
    func sharedLoop() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        var settings = Way.udp.settings
        settings.eventLoopGroup = group
        let a = try await PeerEnd.make(settings)
        let b = try await PeerEnd.make(settings)
        let chat = try await a.peer.openChannel("chat")
        try await a.connect(to: b)
        #expect(try await a.channel("chat") == chat)
        try await chat.send(.text("hello"))
        #expect(try await b.message() == .text("hello"))
        for end in [a, b] {
            await end.peer.close()
            await end.end()
            await end.endpoint.close()
        }
        #expect(try await group.next().submit { 1 }.get() == 1)
        try await group.shutdownGracefully()
    }

    @Test("an event loop without sockets is refused")
    func noSockets() async throws {
        var settings = Way.udp.settings
        let group = NIOAsyncTestingEventLoop()
        settings.eventLoopGroup = group
        let error = await #expect(throws: HelioError.self) { try await WebRTCEndpoint.open(settings) }
        #expect(error?.code == .invalidArgument)
        await group.shutdownGracefully()
    }

    @Test("a channel that asks for less says so at the other end")
    func channelOptions() async throws {
        let a = try await PeerEnd.make()
        let b = try await PeerEnd.make()
        var loose = DataChannel.Options()
        loose.isOrdered = false
        loose.reliability = .retransmissions(0)
        loose.subprotocol = "pointer"
        _ = try await a.peer.openChannel("loose", loose)
        var brief = DataChannel.Options()
        brief.reliability = .lifetime(.milliseconds(150))
        _ = try await a.peer.openChannel("brief", brief)
        var fixed = DataChannel.Options()
        fixed.number = 700
        // Both ends open the pre-negotiated channel: it is not signalled.
        let here = try await a.peer.openChannel("fixed", fixed)
        let there = try await b.peer.openChannel("fixed", fixed)
        try await a.connect(to: b)
        let looseThere = try await b.channel("loose")
        #expect(looseThere.options == loose && looseThere.subprotocol == "pointer")
        let briefThere = try await b.channel("brief")
        #expect(briefThere.options == brief)
        #expect(try await a.channel("fixed") == here)
        #expect(try await b.channel("fixed") == there)
        try await here.send(.text("by number"))
        #expect(try await b.message() == .text("by number"))
        await here.close()
        try await b.wait("end of the channel") { event -> Void? in
            if case .channelClosed(there) = event { () } else { nil }
        }
        await #expect(throws: HelioError.self) { try await there.send(.text("too late")) }
        await a.endpoint.close()
        await b.endpoint.close()
    }

    @Test("a sender waits where the path is slower than it")
    func backPressure() async throws {
        let a = try await PeerEnd.make()
        let b = try await PeerEnd.make()
        let files = try await a.peer.openChannel("files")
        try await a.connect(to: b)
        _ = try await a.channel("files")
        let piece = [UInt8](repeating: 7, count: 60_000)
        let count = 400
        let sending = Task {
            var most = 0
            for _ in 0..<count {
                try await files.send(.binary(piece))
                most = max(most, await files.bufferedAmount())
            }
            return most
        }
        for _ in 0..<count { #expect(try await b.message() == .binary(piece)) }
        #expect(try await sending.value <= 1 << 20 + piece.count, "no more waits than the channel's room")
        let tooLong = DataMessage.binary([UInt8](repeating: 0, count: 256 * 1024 + 1))
        await #expect(throws: HelioError.self) { try await files.send(tooLong) }
        await a.endpoint.close()
        await b.endpoint.close()
    }

    @Test("a relay carries all where nothing else is told", arguments: ["udp", "tcp"], [true, false])
    func relays(transport: String, both: Bool) async throws {
        let coturn = try Coturn(ipv6: false)
        defer { coturn.stop() }
        var relayed = PeerConnection.Options()
        relayed.usesRelaysOnly = true
        relayed.iceServers = [
            ICEServer(
                "turn:127.0.0.1:\(coturn.port)?transport=\(transport)", username: coturn.username,
                password: coturn.password)
        ]
        let a = try await PeerEnd.make(.onLoopback, relayed)
        let b = try await PeerEnd.make(.onLoopback, both ? relayed : PeerConnection.Options())
        let chat = try await a.peer.openChannel("chat")
        _ = try await a.peer.makeOffer()
        let offer = try #require(await a.peer.completeDescription())
        let candidates = offer.split(whereSeparator: \.isNewline).filter { $0.hasPrefix("a=candidate") }
        #expect(!candidates.isEmpty && candidates.allSatisfy { $0.contains("typ relay") }, "\(candidates)")
        #expect(!offer.contains(coturn.password))
        try await b.peer.takeOffer(offer)
        _ = try await b.peer.makeAnswer()
        try await a.peer.takeAnswer(try #require(await b.peer.completeDescription()))
        _ = try await a.channel("chat")
        let message = DataMessage.binary([UInt8](repeating: 9, count: 100_000))
        try await chat.send(message)
        #expect(try await b.message() == message)
        let path = try #require(await a.peer.statistics().path?.description)
        #expect(path.hasPrefix("relay"), "\(path)")
        await a.endpoint.close()
        await b.endpoint.close()
    }

    @Test("it goes by a TURN server by TLS, whose certificate has to be right", .timeLimit(.minutes(1)))
    func relayedByTLS() async throws {
        let coturn = try Coturn(ipv6: false, hasTLS: true)
        defer { coturn.stop() }
        var relayed = PeerConnection.Options()
        relayed.usesRelaysOnly = true
        relayed.iceServers = [
            ICEServer("turns:127.0.0.1:\(coturn.tlsPort)", username: coturn.username, password: coturn.password)
        ]
        var endpoint = WebRTCEndpoint.Options.onLoopback
        endpoint.certificateAuthorities = coturn.certificate
        let a = try await PeerEnd.make(endpoint, relayed)
        let b = try await PeerEnd.make(.onLoopback, PeerConnection.Options())
        let chat = try await a.peer.openChannel("chat")
        _ = try await a.peer.makeOffer()
        try await b.peer.takeOffer(try #require(await a.peer.completeDescription()))
        _ = try await b.peer.makeAnswer()
        try await a.peer.takeAnswer(try #require(await b.peer.completeDescription()))
        _ = try await a.channel("chat")
        let message = DataMessage.binary([UInt8](repeating: 9, count: 100_000))
        try await chat.send(message)
        #expect(try await b.message() == message)
        let path = try #require(await a.peer.statistics().path?.description)
        #expect(path.hasPrefix("relay"), "\(path)")

        // The system's certificate authorities don't include this server's.
        let stranger = try await PeerEnd.make(.onLoopback, relayed)
        _ = try await stranger.peer.openChannel("chat")
        _ = try await stranger.peer.makeOffer()
        let why = try await stranger.wait("relay's failure") {
            if case .relayFailed(let text) = $0 { text } else { nil }
        }
        #expect(why.contains("certificate"), "\(why)")
        for end in [a, b, stranger] { await end.endpoint.close() }
    }

    @Test("a TURN server that refuses is told, without the password")
    func refusedRelay() async throws {
        let coturn = try Coturn(ipv6: false)
        defer { coturn.stop() }
        var options = PeerConnection.Options()
        options.iceServers = [
            ICEServer("turn:127.0.0.1:\(coturn.port)", username: coturn.username, password: "not-" + coturn.password)
        ]
        let a = try await PeerEnd.make(.onLoopback, options)
        _ = try await a.peer.openChannel("chat")
        _ = try await a.peer.makeOffer()
        let why = try await a.wait("relay's failure") { if case .relayFailed(let text) = $0 { text } else { nil } }
        #expect(!why.isEmpty && !why.contains(coturn.password))
        await a.endpoint.close()
    }

    @Test("of two offers that cross, one is taken back")
    func rollback() async throws {
        let a = try await PeerEnd.make()
        let b = try await PeerEnd.make()
        let fromA = try await a.peer.openChannel("from a")
        let fromB = try await b.peer.openChannel("from b")
        _ = try await a.peer.makeOffer()
        _ = try await b.peer.makeOffer()
        let offer = try #require(await a.peer.completeDescription())
        await #expect(throws: HelioError.self, "its own offer stands") { try await b.peer.takeOffer(offer) }
        try await b.peer.rollback()
        try await b.peer.takeOffer(offer)
        _ = try await b.peer.makeAnswer()
        try await a.peer.takeAnswer(try #require(await b.peer.completeDescription()))
        #expect(try await a.channel("from a") == fromA)
        #expect(try await b.channel("from b") == fromB)
        _ = try await a.channel("from b")
        _ = try await b.channel("from a")
        await a.endpoint.close()
        await b.endpoint.close()
    }

    @Test("a restart finds a way while messages go on", arguments: [true, false])
    func restart(byOfferer: Bool) async throws {
        let a = try await PeerEnd.make()
        let b = try await PeerEnd.make()
        let chat = try await a.peer.openChannel("chat")
        try await a.connect(to: b)
        _ = try await a.channel("chat")
        let before = try #require(await a.peer.localDescription())
        try await chat.send(.text("1"))
        try await (byOfferer ? a : b).offer(to: byOfferer ? b : a, restartsICE: true)
        try await chat.send(.text("2"))
        #expect(try await b.message() == .text("1"))
        #expect(try await b.message() == .text("2"))
        let after = try #require(await a.peer.localDescription())
        func name(_ text: String) -> Substring? {
            text.split(whereSeparator: \.isNewline).first { $0.hasPrefix("a=ice-ufrag") }
        }
        #expect(name(before) != nil && name(before) != name(after))
        await a.endpoint.close()
        await b.endpoint.close()
    }

    @Test("a lite host is found")
    func lite() async throws {
        var options = PeerConnection.Options()
        options.isLite = true
        let host = try await PeerEnd.make(.onLoopback, options)
        let guest = try await PeerEnd.make()
        let chat = try await host.peer.openChannel("chat")
        try await host.connect(to: guest)
        _ = try await host.channel("chat")
        try await chat.send(.text("found"))
        #expect(try await guest.message() == .text("found"))
        await host.endpoint.close()
        await guest.endpoint.close()
    }

    @Test("what does not fit is refused in words, and does no harm")
    func refusals() async throws {
        let a = try await PeerEnd.make()
        let b = try await PeerEnd.make()
        _ = try await a.peer.openChannel("chat")
        func refused(_ body: () async throws -> Void) async {
            do {
                try await body()
                Issue.record("was taken")
            } catch let error as HelioError {
                #expect(error.code == .protocolViolation && !error.message.isEmpty, "\(error)")
            } catch {
                Issue.record("\(error)")
            }
        }
        await refused { try await a.peer.takeOffer("hello") }
        await refused { try await a.peer.takeAnswer("v=0") }
        await refused { _ = try await a.peer.makeAnswer() }
        await refused { try await a.peer.rollback() }
        await refused { try await a.peer.addCandidate("candidate:nonsense") }
        #expect(await a.peer.localDescription() == nil)
        try await a.connect(to: b)
        await a.peer.close()
        do {
            _ = try await a.peer.makeOffer()
            Issue.record("it is closed")
        } catch {
            #expect(error.code == .ended)
        }
        await #expect(throws: HelioError.self) { _ = try await a.peer.openChannel("late") }
        await a.endpoint.close()
        await b.endpoint.close()
    }

    @Test("an endpoint that closes ends its connections, and its port is free again")
    func closing() async throws {
        let a = try await PeerEnd.make()
        let b = try await PeerEnd.make()
        _ = try await a.peer.openChannel("chat")
        try await a.connect(to: b)
        let port = a.endpoint.port
        await a.endpoint.close()
        await a.end()
        try await b.state(.closed)
        var settings = WebRTCEndpoint.Options.onLoopback
        settings.port = port
        let again = try await WebRTCEndpoint.open(settings)
        #expect(again.port == port)
        do {
            _ = try await WebRTCEndpoint.open(settings)
            Issue.record("the port is taken")
        } catch {
            #expect(error.code == .systemFailed && error.message.contains("\(port)"), "\(error)")
        }
        await again.close()
        await b.endpoint.close()
    }

    @Test("what makes no endpoint is refused in words")
    func endpoints() async {
        var settings = WebRTCEndpoint.Options()
        settings.port = 70_000
        for (port, addresses) in [(70_000, ["127.0.0.1"]), (0, ["example"]), (0, ["192.0.2.77"])] {
            settings.port = port
            settings.addresses = addresses
            do {
                _ = try await WebRTCEndpoint.open(settings)
                Issue.record("port \(port) of \(addresses)")
            } catch {
                #expect(!error.message.isEmpty)
            }
        }
    }
}
