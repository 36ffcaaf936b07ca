import HelioCore
import HelioICE
import HelioPeer
import HelioSCTP
import HelioSTUN
import HelioSimulation
import HelioTURN
import Testing

/// Connections over TURN servers.
struct PeerRelayTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var a: PeerRelay.Way?
        var b: PeerRelay.Way?
        var loss = 0.0
        var testDescription: String { "\(String(describing: a)) and \(String(describing: b)), loss \(loss)" }
    }

    static let cases = [
        Case(a: .udp, b: .udp), Case(a: .udp, b: nil), Case(a: nil, b: .udp), Case(a: .tcp, b: nil),
        Case(a: .tcp, b: .tcp), Case(a: .udp, b: .tcp), Case(a: .udp, b: .udp, loss: 0.02),
    ]

    /// Connects a pair whose ends use only their TURN servers, if they have one; with a channel and a video.
    private func relayed(_ way: Case, seed: UInt64) throws -> (pair: MediaPair, channel: PeerChannelID) {
        let conditions = PeerWorld.Conditions(loss: way.loss, relays: (way.a, way.b))
        var channel: PeerChannelID?
        let pair = try MediaPair(
            seed: seed, conditions,
            configure: { a, b in
                a.usesRelaysOnly = way.a != nil
                b.usesRelaysOnly = way.b != nil
            },
            prepare: { world in
                channel = try world.call(world.a) { try $0.openChannel(.init(label: "chat"), now: $1) }
            })
        #expect(try pair.world.run(for: .seconds(20)) { pair.world.b.channel("chat") != nil })
        return (pair, try #require(channel))
    }

    private func expectUse(_ pair: MediaPair, _ channel: PeerChannelID) throws {
        let (world, large) = (pair.world, DataChannelMessage.binary([UInt8](repeating: 9, count: 30_000)))
        world.b.isEcho = true
        let before = world.a.messages[channel]?.count ?? 0
        try world.call(world.a) { try $0.send(large, on: channel, now: $1) }
        #expect(try world.run(for: .seconds(30)) { world.a.messages[channel]?.count == before + 1 })
        #expect(world.a.messages[channel]?.last == large)
    }

    @Test(arguments: cases)
    func relayedAtOneOrBothEnds(_ way: Case) throws {
        let (pair, channel) = try relayed(way, seed: 51)
        let world = pair.world
        try expectUse(pair, channel)
        pair.start(world.a, pair.screen)
        try world.run(for: .seconds(10))
        try pair.expectFrames(atLeast: way.loss > 0 ? 0.9 : 0.98)
        for node in world.nodes {
            let path = try #require(node.connection.path)
            #expect((path.localKind == .relayed) == (node.relay != nil))
            #expect(path.base == node.relay?.relayed ?? node.host)
            #expect(node.relay?.model.violations ?? [] == [])
            // Responses from the peer cause a channel binding: four bytes of overhead instead of an indication.
            if let model = node.relay?.model { #expect(model.channelMessages > 10 * model.sendIndications) }
        }
        // The allocations are released.
        for node in world.nodes { world.call(node) { $0.close(now: $1) } }
        for node in world.nodes { #expect(node.relay?.isOpen ?? false == false) }
        try world.run(for: .seconds(2))
        for node in world.nodes where way.loss == 0 { #expect(node.relay?.model.hasAllocation ?? false == false) }
    }

    /// Allocation, permissions and channels are refreshed.
    @Test func itLasts() throws {
        let (pair, channel) = try relayed(Case(a: .udp, b: .udp), seed: 52)
        try pair.world.run(for: .seconds(3600))
        try expectUse(pair, channel)
        #expect(pair.world.nodes.allSatisfy { $0.states == [.connecting, .connected] && $0.relayFailures.isEmpty })
        #expect(pair.world.nodes.allSatisfy { $0.relay?.model.violations == [] })
    }

    /// Only a relay reaches the other end, although the policy allows all candidates.
    @Test func whereNothingElseWorksTheRelayDoes() throws {
        let world = PeerWorld(seed: 53, .init(relays: (.udp, nil)))
        world.blocksUDP = true
        _ = try world.call(world.a) { try $0.openChannel(.init(label: "chat"), now: $1) }
        try world.begin()
        #expect(try world.run(for: .seconds(20)) { world.isConnected && world.b.channel("chat") != nil })
        #expect(world.a.connection.path?.localKind == .relayed)
    }

    /// A relay is used only if no direct path works.
    @Test func aDirectWayIsPreferred() throws {
        let world = PeerWorld(seed: 54, .init(relays: (.udp, .tcp)))
        _ = try world.call(world.a) { try $0.openChannel(.init(label: "chat"), now: $1) }
        try world.begin()
        #expect(try world.run(for: .seconds(20)) { world.isConnected })
        try world.run(for: .seconds(5))
        #expect(world.nodes.allSatisfy { $0.connection.path?.localKind == .host })
    }

    // MARK: Signalled candidates

    @Test func relaysOnlyTellNoAddressOfTheMachine() throws {
        let world = PeerWorld(seed: 55, .init(relays: (.udp, .udp))) { a, b in
            (a.usesRelaysOnly, b.usesRelaysOnly) = (true, true)
            // STUN servers are configured as well, but must not be used.
            (a.stunServers, b.stunServers) = ([PeerWorld.server], [PeerWorld.server])
        }
        _ = try world.call(world.a) { try $0.openChannel(.init(label: "chat"), now: $1) }
        for node in world.nodes {
            node.listens = TransportAddress(node.host.ip, port: 5001, transport: .tcp)
            node.mayConnect = true
        }
        var descriptions: [String] = []
        world.changesAnswer = { answer in
            descriptions.append(answer)
            return answer
        }
        world.gather()
        let offer = try world.call(world.a) { try $0.makeOffer(now: $1) }
        descriptions.append(offer)
        world.signal(to: world.b, .offer(offer))
        #expect(try world.run(for: .seconds(20)) { world.isConnected })
        for node in world.nodes {
            descriptions.append(try #require(node.connection.localDescription))
            // One candidate, then the end of candidates.
            #expect(node.candidates.count == 2 && node.candidates.last == .some(nil))
            let candidate = try #require(node.candidates[0])
            #expect(candidate.contains("typ relay raddr 0.0.0.0 rport 9"), "\(candidate)")
            let relayed = try #require(node.relay?.relayed.ip)
            #expect(candidate.contains(relayed.description))
            descriptions.append(candidate)
            // No datagram is sent from the host's own address either.
            #expect(node.sent.isEmpty)
        }
        // The machine's own address, and the address that the servers see.
        let hidden = world.nodes.map(\.host.ip.description) + [IPAddress.v4(0xC633_6407).description]
        for text in descriptions { for address in hidden { #expect(!text.contains(address), "\(text)") } }
    }

    @Test func otherwiseTheRelatedAddressIsTold() throws {
        let world = PeerWorld(seed: 56, .init(relays: (.udp, nil)))
        _ = try world.call(world.a) { try $0.openChannel(.init(label: "chat"), now: $1) }
        try world.begin()
        #expect(try world.run(for: .seconds(20)) { world.isConnected })
        #expect(world.a.candidates.contains { $0?.contains("typ relay raddr 198.51.100.7 rport 6000") == true })
    }

    // MARK: Unusable servers

    @Test(arguments: [PeerRelay.Way.udp, .tcp])
    func refusedCredentials(_ way: PeerRelay.Way) throws {
        let world = PeerWorld(seed: 57, .init(relays: (way, nil)))
        world.a.relay?.model.password = "another"
        _ = try world.call(world.a) { try $0.openChannel(.init(label: "chat"), now: $1) }
        try world.begin()
        #expect(try world.run(for: .seconds(10)) { world.isConnected && world.a.connection.isGatheringComplete })
        #expect(world.a.relayFailures == [.wrongCredentials] && world.a.relay?.isOpen == false)
        #expect(world.a.candidates.last == .some(nil) && world.a.candidates.count == 2)
    }

    @Test(arguments: [PeerRelay.Way.udp, .tcp])
    func gatheringEndsWithoutAnAnswer(_ way: PeerRelay.Way) throws {
        let world = PeerWorld(seed: 58, .init(relays: (way, nil)))
        let relay = try #require(world.a.relay)
        relay.isDead = true
        _ = try world.call(world.a) { try $0.openChannel(.init(label: "chat"), now: $1) }
        try world.begin()
        #expect(try world.run(for: .seconds(2)) { world.isConnected })
        if way == .udp { #expect(!world.a.connection.isGatheringComplete) }
        #expect(try world.run(for: .seconds(40)) { world.a.connection.isGatheringComplete })
        #expect(world.a.relayFailures == [way == .udp ? .timedOut : .disconnected])
        #expect(world.a.candidates.last == .some(nil))
    }

    /// With only an unusable relay, there is no path, which is reported.
    @Test func relaysOnlyAndNoRelay() throws {
        let world = PeerWorld(seed: 59, .init(relays: (.udp, nil))) { a, _ in a.usesRelaysOnly = true }
        world.a.relay?.model.password = "another"
        _ = try world.call(world.a) { try $0.openChannel(.init(label: "chat"), now: $1) }
        try world.begin()
        #expect(try world.run(for: .seconds(60)) { world.a.connection.state == .failed })
        #expect(world.a.failures == [.noPath] && world.a.relayFailures == [.wrongCredentials])
    }

    // MARK: Lost servers

    /// The peer's path still works if it uses another server.
    @Test(arguments: [PeerRelay.Way.udp, .tcp])
    func aServerDiesAndARestartFindsItAgain(_ way: PeerRelay.Way) throws {
        let (pair, channel) = try relayed(Case(a: way, b: nil), seed: 60)
        let (world, relay) = (pair.world, try #require(pair.world.a.relay))
        try world.run(for: .seconds(5))
        let start = world.now
        relay.model.forgetAll()
        world.kill(relay)
        #expect(try world.run(for: .seconds(60)) { world.a.connection.state == .disconnected })
        // A TCP connection is detected as closed at once, UDP by a time-out.
        #expect((world.now - start < .milliseconds(10)) == (way == .tcp))
        #expect(try world.run(for: .seconds(60)) { world.nodes.allSatisfy { $0.connection.state == .failed } })
        #expect(world.a.failures == [.noPath])
        if way == .tcp { #expect(world.a.relayFailures == [.disconnected] && relay.timesOpened == 1) }
        // Long enough that the server's silence is noticed, too.
        if way == .udp { try world.run(for: .seconds(700)) }
        #expect(world.a.relayFailures.count == 1)
        // Data without a path is not sent from the host's own address.
        #expect(world.a.sent.isEmpty)

        // The server is available again, at another address.
        relay.isDead = false
        try world.offer(from: world.a, restartsICE: true)
        #expect(try world.run(for: .seconds(20)) { world.isConnected })
        #expect(relay.timesOpened == 2 && relay.model.hasAllocation)
        if way == .tcp { try expectUse(pair, channel) }
        #expect(world.a.connection.isGatheringComplete)
    }

    /// The lost server's relayed candidate is not signalled again.
    @Test func aLostAddressIsNotToldAgain() throws {
        let world = PeerWorld(seed: 62, .init(relays: (.tcp, nil)))
        let relay = try #require(world.a.relay)
        _ = try world.call(world.a) { try $0.openChannel(.init(label: "chat"), now: $1) }
        try world.begin()
        #expect(try world.run(for: .seconds(20)) { world.isConnected && world.a.connection.isGatheringComplete })
        world.kill(relay)
        try world.run(for: .seconds(1))
        #expect(world.a.relayFailures == [.disconnected] && world.a.connection.state == .connected)
        #expect(world.a.connection.localDescription?.contains("typ relay") == false)
        try world.offer(from: world.a, restartsICE: true)
        try world.run(for: .seconds(5))
        #expect(world.isConnected && relay.timesOpened == 2 && world.a.relayFailures.count == 2)
        let told = world.a.candidates.compactMap { $0 }
        #expect(told.count { $0.contains("typ relay") } == 1 && told.count { $0.contains("typ host") } == 2)
        #expect(world.a.connection.isGatheringComplete)
    }
}
