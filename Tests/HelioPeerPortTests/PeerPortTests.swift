import HelioCore
import HelioICE
import HelioOpenSSL
import HelioPeer
import HelioPeerPort
import HelioSCTP
import HelioSTUN
import HelioTestLanes
import HelioTestPrograms
import NIOCore
import NIOPosix
import Synchronization
import Testing

@Suite("A port of many WebRTC peers, on loopback", .tags(.quiet))
struct PeerPortTests {
    @Test(
        "a data channel works both ways", .timeLimit(.minutes(1)),
        arguments: [(true, true), (true, false), (false, true)])
    func dataChannel(udp: Bool, tcp: Bool) async throws {
        let settings = PortEnd.settings(udp: udp, tcp: tcp)
        let (a, b) = (try await PortEnd(settings), try await PortEnd(settings))
        let (mine, theirs) = try await a.connect(to: b)
        #expect(try await a.path()?.transport == (udp ? .udp : .tcp))
        #expect(try await b.path()?.transport == (udp ? .udp : .tcp))
        try await a.say("there", on: mine)
        #expect(try await b.message() == .text(Array("there".utf8)))
        try await b.say("back", on: theirs)
        #expect(try await a.message() == .text(Array("back".utf8)))
        // More than a datagram, and more than a connection accepts at once.
        let large = DataChannelMessage.binary((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        try await a.peer.run { try $0.send(large, on: mine, now: $1) }
        #expect(try await b.message() == large)
        for end in [a, b] {
            let statistics = try await end.port.statistics()
            #expect(statistics.peers == 1 && statistics.drops["stranger"] == nil)
            #expect(statistics.packetsSent > 100 || statistics.packetsReceived > 100)
            if !udp { #expect(statistics.connections >= 1) }
        }
        await a.port.close()
        await b.port.close()
    }

    /// The machine's addresses, as the test sets them.
    private final class Addresses: Sendable {
        private let list: Mutex<[IPAddress]>

        init(_ list: [IPAddress]) { self.list = Mutex(list) }

        var all: [IPAddress] {
            get { list.withLock { $0 } }
            set { list.withLock { $0 = newValue } }
        }
    }

    @Test("an address that comes is a candidate, and a connection outlives one that goes", .timeLimit(.minutes(1)))
    func addressesComeAndGo() async throws {
        let (first, second) = (IPAddress.v4(0x7F00_0001), IPAddress.v4(0x7F00_0003))
        let addresses = Addresses([first])
        var settings = PeerPortSettings()
        settings.usesTCP = false
        settings.watchInterval = .milliseconds(50)
        settings.listAddresses = { [addresses] _ in addresses.all }
        let (a, b) = (try await PortEnd(settings), try await PortEnd(PortEnd.settings(tcp: false)))
        let (mine, theirs) = try await a.connect(to: b)
        addresses.all = [first, second]
        let candidate = try await a.wait { event in
            if case .candidate(let text?) = event, text.contains("127.0.0.3") { text } else { nil }
        }
        #expect(candidate.contains(" \(a.port.localPort) "))
        try await b.peer.run { try $0.addCandidate(candidate, now: $1) }
        // A connection made now has both addresses.
        let late = try await PortEnd(on: a.port)
        let offer = try await late.peer.run { connection, now in
            _ = try connection.openChannel(DataChannelDescription(label: "late"), now: now)
            return try connection.makeOffer(now: now)
        }
        #expect(offer.contains("127.0.0.1") && offer.contains("127.0.0.3"))
        try await a.say("before", on: mine)
        #expect(try await b.message() == .text(Array("before".utf8)))
        // The new path must be validated before the old address is removed.
        try await eventually("the new way is proven") {
            try await b.peer.run { connection, _ in
                connection.isProven(
                    from: TransportAddress(second, port: a.port.localPort),
                    onLocal: TransportAddress(first, port: b.port.localPort))
            }
        }
        addresses.all = [second]
        // The removal is noticed at the next poll.
        try await eventually("the old way is left") { try await a.path()?.ip == second }
        try await a.say("after", on: mine)
        #expect(try await b.message() == .text(Array("after".utf8)))
        try await b.say("back", on: theirs)
        #expect(try await a.message() == .text(Array("back".utf8)))
        #expect(try await a.path()?.ip == second)
        for end in [a, b] { await end.port.close() }
    }

    @Test("many peers share a port, and one message goes to all", .timeLimit(.minutes(1)))
    func manyPeers() async throws {
        let port = try await PeerPort.open(PortEnd.settings(), on: PortEnd.loop)
        var pairs: [(here: PortEnd, client: PortEnd, channel: PeerChannelID, theirs: PeerChannelID)] = []
        for number in 0..<12 {
            let here = try await PortEnd(on: port)
            // Some connections use UDP, some TCP.
            let client = try await PortEnd(PortEnd.settings(udp: number % 3 != 0))
            let (theirs, mine) = try await client.connect(to: here)
            pairs.append((here, client, mine, theirs))
        }
        for (number, pair) in pairs.enumerated() {
            try await pair.client.say("I am \(number)", on: pair.theirs)
            #expect(try await pair.here.message() == .text(Array("I am \(number)".utf8)))
        }
        let targets = pairs.map { ($0.here.peer, $0.channel) }
        try await PortEnd.loop.submit {
            for (peer, channel) in targets {
                peer.runOnLoop { connection, now in
                    try? connection.send(.text(Array("all".utf8)), on: channel, now: now)
                }
            }
            port.flushOnLoop()
        }.get()
        for pair in pairs { #expect(try await pair.client.message() == .text(Array("all".utf8))) }
        let statistics = try await port.statistics()
        #expect(statistics.peers == 12 && statistics.connections >= 4)
        #expect(statistics.drops["stranger"] == nil && statistics.drops["contested-address"] == nil)
        // One connection is closed; the others continue.
        await pairs[0].here.peer.close { $0.close(now: $1) }
        try await pairs[0].client.state(.closed)
        try await pairs[1].client.say("still here", on: pairs[1].theirs)
        #expect(try await pairs[1].here.message() == .text(Array("still here".utf8)))
        #expect(try await port.statistics().peers == 11)
        await port.close()
        for pair in pairs { await pair.client.port.close() }
    }

    @Test("what is for nobody is dropped under its name", .timeLimit(.minutes(1)))
    func junk() async throws {
        let (a, b) = (try await PortEnd(), try await PortEnd())
        let (mine, _) = try await a.connect(to: b)
        let before = try await b.port.statistics().drops
        let socket = try await DatagramBootstrap(group: PortEnd.loop).bind(host: "127.0.0.1", port: 0).get()
        let remote = try SocketAddress(ipAddress: "127.0.0.1", port: Int(b.port.localPort))
        let user = STUNMessage(.request, .binding, STUNTransactionID(high: 1, low: 2), [.username("nobody:here")])
        let answer = STUNMessage(.success, .binding, STUNTransactionID(high: 1, low: 3))
        for bytes in [
            [0x7F, 1, 2], [0xFF, 1, 2], [22, 254, 253, 0], [0x80, 96, 0, 1], [0, 1, 0, 0, 9], user.serialised(),
            answer.serialised(),
        ] as [[UInt8]] {
            try await socket.writeAndFlush(
                AddressedEnvelope(remoteAddress: remote, data: socket.allocator.buffer(bytes: bytes)))
        }
        let expected = ["junk": 1, "stranger": 3, "malformed-stun": 1, "unknown-user": 1, "unknown-transaction": 1]
        for (name, count) in expected {
            func now() async throws -> Int {
                try await b.port.statistics().drops[name, default: 0] - before[name, default: 0]
            }
            try await eventually("\(count) were dropped as \(name)", sees: "\(try await now()) were") {
                try await now() >= count
            }
        }
        try await a.say("undisturbed", on: mine)
        #expect(try await b.message() == .text(Array("undisturbed".utf8)))
        try await socket.close()
        await a.port.close()
        await b.port.close()
    }

    @Test(
        "a peer whose addresses can't be sent to is no trouble to the others", .timeLimit(.minutes(1)),
        arguments: ["192.0.2.1", "255.255.255.255"])
    func unreachable(address: String) async throws {
        let settings = PortEnd.settings(tcp: false)
        let (a, b, stranger) = (try await PortEnd(settings), try await PortEnd(settings), try await PortEnd(settings))
        let (mine, _) = try await a.connect(to: b)
        let other = try await PortEnd(on: a.port)
        _ = try await other.peer.run { try $0.openChannel(DataChannelDescription(label: "test"), now: $1) }
        let answer = try await stranger.answer(other.offer())
        try await other.take(answer: answer.replacing(" 127.0.0.1 ", with: " \(address) "))
        // A loopback address can't reach any other.
        try await eventually("it was refused", sees: "\(try await a.port.statistics())") {
            try await a.port.statistics().drops["refused", default: 0] > 0
        }
        try await a.say("undisturbed", on: mine)
        #expect(try await b.message() == .text(Array("undisturbed".utf8)))
        for end in [a, b, stranger] { await end.port.close() }
    }

    @Test("connections of strangers are closed", .timeLimit(.minutes(1)))
    func strangersByTCP() async throws {
        // A connection that sends nothing.
        var settings = PortEnd.settings()
        settings.provingTimeout = .milliseconds(100)
        let impatient = try await PeerPort.open(settings, on: PortEnd.loop)
        let silent = try await ClientBootstrap(group: PortEnd.loop)
            .connect(host: "127.0.0.1", port: Int(impatient.localPort)).get()
        try await PortEnd.isClosed(silent)
        #expect(try await impatient.statistics().drops == ["unproven": 1])
        await impatient.close()
        // A frame that is no STUN check, one longer than any packet, and a check for an unknown user.
        let port = try await PeerPort.open(PortEnd.settings(), on: PortEnd.loop)
        let user = STUNMessage(.request, .binding, STUNTransactionID(high: 1, low: 2), [.username("nobody:here")])
        let check = user.serialised()
        for bytes in [[0, 2, 0x7F, 0xFF], [0xFF, 0xFF], [0, UInt8(check.count)] + check] as [[UInt8]] {
            let channel = try await ClientBootstrap(group: PortEnd.loop)
                .connect(host: "127.0.0.1", port: Int(port.localPort)).get()
            try await channel.writeAndFlush(channel.allocator.buffer(bytes: bytes))
            try await PortEnd.isClosed(channel)
        }
        let statistics = try await port.statistics()
        #expect(statistics.connections == 0)
        #expect(statistics.drops == ["junk": 1, "oversized": 1, "unknown-user": 1])
        await port.close()
    }

    @Test("a restart of ICE changes names and keeps the channel", .timeLimit(.minutes(1)), arguments: [true, false])
    func restart(udp: Bool) async throws {
        let settings = PortEnd.settings(udp: udp)
        let (a, b) = (try await PortEnd(settings), try await PortEnd(settings))
        let (mine, theirs) = try await a.connect(to: b)
        let before = try await b.peer.run { connection, _ in connection.localUsernameFragment }
        try await a.take(answer: b.answer(a.offer(restartsICE: true)))
        #expect(try await b.peer.run { connection, _ in connection.localUsernameFragment } != before)
        try await a.say("after", on: mine)
        #expect(try await b.message() == .text(Array("after".utf8)))
        try await b.say("as before", on: theirs)
        #expect(try await a.message() == .text(Array("as before".utf8)))
        await a.port.close()
        await b.port.close()
    }

    /// A lite peer sends no checks; as the answerer it starts the handshake.
    @Test("a peer of ICE lite is known by its answers", .timeLimit(.minutes(1)), arguments: [true, false])
    func lite(offers: Bool) async throws {
        let settings = PortEnd.settings(tcp: false)
        let (full, lite) = (try await PortEnd(settings), try await PortEnd(settings, isLite: true))
        let (a, b) = offers ? (lite, full) : (full, lite)
        let (mine, _) = try await a.connect(to: b)
        try await a.say("there", on: mine)
        #expect(try await b.message() == .text(Array("there".utf8)))
        #expect(try await full.port.statistics().drops["stranger"] == nil)
        await a.port.close()
        await b.port.close()
    }

    @Test("a peer that vanishes by TCP is missed at once", .timeLimit(.minutes(1)))
    func vanishing() async throws {
        let settings = PortEnd.settings(udp: false)
        let (a, b) = (try await PortEnd(settings), try await PortEnd(settings))
        _ = try await a.connect(to: b)
        let vanished = ContinuousClock.now
        await b.port.close()
        try await a.state(.disconnected)
        // Detected by the closed connection, and not by silence.
        #expect(ContinuousClock.now - vanished < ICESettings(isControlling: true).disconnectedAfter / 2)
        await a.port.close()
    }

    @Test("a closed port is free again, and takes nobody", .timeLimit(.minutes(1)))
    func closing() async throws {
        var settings = PortEnd.settings()
        settings.maximumPeers = 1
        let port = try await PeerPort.open(settings, on: PortEnd.loop)
        _ = try await PortEnd(on: port)
        await #expect(throws: HelioError.self) { _ = try await PortEnd(on: port) }
        settings.port = port.localPort
        await #expect(throws: HelioError.self) { _ = try await PeerPort.open(settings, on: PortEnd.loop) }
        await port.close()
        await #expect(throws: HelioError.self) { _ = try await PortEnd(on: port) }
        let again = try await PeerPort.open(settings, on: PortEnd.loop)
        #expect(again.localPort == port.localPort)
        // With `fallsBack`, a port in use is replaced by another one.
        settings.fallsBack = true
        let other = try await PeerPort.open(settings, on: PortEnd.loop)
        #expect(other.localPort != port.localPort)
        await other.close()
        await again.close()
    }

    @Test("TCP connections come by somebody else's listener, and no TCP port is opened", .timeLimit(.minutes(1)))
    func sharedTCP() async throws {
        let accepting = Mutex<(port: PeerPort?, count: Int)>((nil, 0))
        let listener = try await ServerBootstrap(group: PortEnd.loop)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let port = accepting.withLock { state in
                        state.count += 1
                        return state.port
                    }
                    try port?.acceptOnLoop(channel)
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        var settings = PortEnd.settings()
        settings.sharedTCPPort = try UInt16(#require(listener.localAddress?.port))
        let a = try await PortEnd(settings)
        accepting.withLock { $0.port = a.port }
        let b = try await PortEnd(PortEnd.settings(udp: false))
        let (mine, theirs) = try await a.connect(to: b)
        #expect(try await a.path()?.transport == .tcp)
        try await a.say("there", on: mine)
        #expect(try await b.message() == .text(Array("there".utf8)))
        try await b.say("back", on: theirs)
        #expect(try await a.message() == .text(Array("back".utf8)))
        #expect(accepting.withLock { $0.count } > 0)
        // Its UDP port number is free for TCP.
        let probe = try await ServerBootstrap(group: PortEnd.loop)
            .bind(host: "127.0.0.1", port: Int(a.port.localPort)).get()
        try await probe.close()
        await a.port.close()
        await b.port.close()
        try await listener.close()
    }

    @Test("without addresses, those of the machine are used", .timeLimit(.minutes(1)))
    func allAddresses() async throws {
        var settings = PeerPortSettings()
        settings.includesLoopback = true
        let port = try await PeerPort.open(settings, on: PortEnd.loop)
        #expect(port.addresses.contains(.v4(0x7F00_0001)))
        let end = try await PortEnd(on: port)
        _ = try await end.peer.run { try $0.openChannel(DataChannelDescription(label: "test"), now: $1) }
        let offer = try await end.offer()
        for address in port.addresses {
            #expect(offer.contains(" \(address) \(port.localPort) typ host"), "\(address)")
            #expect(offer.contains(" \(address) \(port.localPort) typ host tcptype passive"), "\(address)")
            #expect(offer.contains(" \(address) 9 typ host tcptype active"), "\(address)")
        }
        await port.close()
    }

    @Test("a hidden address is asked for on the local network", .timeLimit(.minutes(1)))
    func multicastName() async throws {
        let responder = try await DatagramBootstrap(group: PortEnd.loop)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Responder())
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        var settings = PortEnd.settings(tcp: false)
        settings.multicast = TransportAddress(
            .v4(0x7F00_0001), port: UInt16(try #require(responder.localAddress?.port)))
        let (a, b) = (try await PortEnd(PortEnd.settings(tcp: false)), try await PortEnd(settings))
        _ = try await a.peer.run { try $0.openChannel(DataChannelDescription(label: "test"), now: $1) }
        let offer = try await a.offer()
        let hidden = offer.split(separator: "\r\n", omittingEmptySubsequences: false).map { line in
            guard line.hasPrefix("a=candidate:") else { return String(line) }
            return line.split(separator: " ").map { $0 == "127.0.0.1" ? "0c1d-7a8e.local" : String($0) }
                .joined(separator: " ")
        }.joined(separator: "\r\n")
        #expect(hidden != offer)
        // This end's own candidates are withheld, so the peer is reachable only by its name.
        _ = try await b.answer(hidden)
        try await eventually("anything came", sees: "\(try await b.port.statistics())") {
            try await a.port.statistics().packetsReceived > 0
        }
        try await responder.close()
        await a.port.close()
        await b.port.close()
    }

    @Test("a peer that fails by itself can be let go of there and then", .timeLimit(.minutes(1)))
    func letGoWhileFailing() async throws {
        let port = try await PeerPort.open(PortEnd.settings(), on: PortEnd.loop)
        let offerer = try await PortEnd()
        let offer = try await offerer.peer.run { engine, now in
            _ = try engine.openChannel(DataChannelDescription(label: "any"), now: now)
            return try engine.makeOffer(now: now)
        }
        await offerer.port.close()
        var configuration = PeerConnectionConfiguration()
        configuration.adjustICE = { settings in
            settings.retransmission = .milliseconds(10)
            settings.attempts = 1
            settings.lastWait = 1
            settings.patience = .milliseconds(50)
        }
        let dtls = try OpenSSLDTLS(DTLSIdentity())
        let (failures, tell) = AsyncStream.makeStream(of: Void.self)
        let held = HeldPeer()
        held.hold(
            try await port.add(
                { [configuration] now in
                    PeerEngine(
                        configuration, crypto: OpenSSLCrypto(), certificates: dtls, random: SecureGenerator(), now: now)
                },
                onEvent: { event in
                    guard case .state(.failed) = event else { return }
                    held.letGo()
                    tell.finish()
                }))
        try await held.run { engine, now in
            try engine.takeOffer(offer, now: now)
            _ = try engine.makeAnswer(now: now)
        }
        for await _ in failures {}
        #expect(try await port.statistics().peers == 0)
        await port.close()
    }
}

/// Holds the only strong reference to a peer.
private final class HeldPeer: Sendable {
    private let peer = Mutex<PeerHandle?>(nil)

    func hold(_ handle: PeerHandle) { peer.withLock { $0 = handle } }

    func run(_ body: @escaping @Sendable (PeerEngine, Instant) throws -> Void) async throws {
        try await peer.withLock { $0 }?.run(body)
    }

    /// Releases the peer on the event loop.
    func letGo() {
        let handle = peer.withLock { peer in
            defer { peer = nil }
            return peer
        }
        handle?.closeOnLoop { engine, now in engine.close(now: now) }
    }
}
