import HelioCore
import HelioICE
import HelioOpenSSL
import HelioSTUN
import HelioSimulation
import Testing

/// Two agents, a STUN server and the network between them, on virtual time. Signalling has its own reliable path.
final class ICEWorld {
    static let server = TransportAddress(.v4(0xC000_0201), port: 3478)

    let a: ICENode
    let b: ICENode
    private var time = VirtualTime()
    var now: Instant { time.now }
    /// The link of the STUN server's responses.
    var serverLink: SimulatedLink
    var serverAnswers = true
    /// True if a firewall drops all UDP, or all TCP.
    var blocksUDP = false
    var blocksTCP = false
    /// Returns whether a datagram of an end is lost in addition.
    var loses: (ICENode, [UInt8]) -> Bool = { _, _ in false }
    /// Returns whether all packets between two addresses are lost.
    var cuts: (_ from: TransportAddress, _ to: TransportAddress) -> Bool = { _, _ in false }
    private(set) var connections: [ICEConnection] = []
    var signallingDelay = Duration.milliseconds(40)

    init(
        seed: UInt64, _ placeA: ICENode.Place = .open, _ placeB: ICENode.Place = .open, loss: Double = 0,
        delay: Duration = .milliseconds(15), usesServer: Bool = true,
        configure: (inout ICESettings, inout ICESettings) -> Void = { _, _ in }
    ) throws {
        var seeds = SeededGenerator(seed: seed)
        var (settingsA, settingsB) = (ICESettings(isControlling: true), ICESettings(isControlling: false))
        if usesServer {
            settingsA.stunServers = [Self.server]
            settingsB.stunServers = [Self.server]
        }
        configure(&settingsA, &settingsB)
        var conditions = LinkConditions(
            loss: loss > 0 ? .random(loss) : .none, delay: delay, jitter: .milliseconds(3),
            reorder: loss / 4, duplicate: loss / 4)
        conditions.reorderDelay = .milliseconds(7)
        func node(_ place: ICENode.Place, _ number: UInt32, _ settings: ICESettings) throws -> ICENode {
            let agent = try ICEAgent(
                settings, crypto: OpenSSLCrypto(), random: SeededGenerator(seed: seeds.next()), now: .zero)
            return ICENode(
                place, number: number, agent: agent, link: SimulatedLink(conditions, seed: seeds.next()))
        }
        a = try node(placeA, 1, settingsA)
        b = try node(placeB, 2, settingsB)
        serverLink = SimulatedLink(conditions, seed: seeds.next())
    }

    func peer(of node: ICENode) -> ICENode { node === a ? b : a }

    func settings(loss: Double) {
        for link in [\ICEWorld.a.link, \ICEWorld.b.link, \ICEWorld.serverLink] {
            self[keyPath: link].conditions.loss = loss > 0 ? .random(loss) : .none
        }
    }

    // MARK: Signalling

    /// Exchanges offer, answer and candidates as they become available.
    func start(exchangesCredentials: Bool = true) {
        if exchangesCredentials { exchangeCredentials() }
        for node in [a, b] {
            give(node, .localCandidate(.host(node.host)))
            for other in node.others { give(node, .localCandidate(.host(other, preference: 1))) }
            if let port = node.listens { give(node, .localCandidate(.tcpPassive(port))) }
            if node.mayConnect { give(node, .localCandidate(.tcpActive(node.host.ip))) }
            if let relay = node.relay {
                give(node, .localCandidate(.relayed(relay, mapped: nil, server: relay.ip)))
            }
            give(node, .localCandidatesEnded)
        }
    }

    func exchangeCredentials(isLiteA: Bool = false, isLiteB: Bool = false) {
        signal(to: b, .remoteCredentials(a.agent.localCredentials, isLite: isLiteA))
        signal(to: a, .remoteCredentials(b.agent.localCredentials, isLite: isLiteB))
    }

    func signal(to node: ICENode, _ input: ICEAgent.Input) {
        node.inbox.append((now + signallingDelay, input))
    }

    func give(_ node: ICENode, _ input: ICEAgent.Input) {
        node.agent.handle(input, now: now)
        drain(node)
    }

    private func drain(_ node: ICENode) {
        while let output = node.agent.poll() {
            switch output {
            case .send(let bytes, let from, let to):
                node.sent.append((now, bytes, from, to))
                guard from.transport == .udp else {
                    carry(bytes, from: from, to: to)
                    continue
                }
                // Behind such a firewall, packets are sent but don't arrive.
                guard !blocksUDP, !loses(node, bytes), !cuts(from, to) else { continue }
                let source = source(of: node, from: from, to: to)
                node.link.send(Self.wrap(bytes, from: source, to: to), now: now)
            case .resolve(let name): node.names.append(name)
            case .connect(let from, let to): connect(node, from: from, to: to)
            case .event(let event):
                node.events.append((now, event))
                guard node.signalsCandidates else { continue }
                switch event {
                case .candidate(let candidate): signal(to: peer(of: node), .remoteCandidate(candidate.attribute))
                case .gathered: signal(to: peer(of: node), .remoteCandidatesEnded)
                default: break
                }
            }
        }
    }

    // MARK: The network

    private func source(of node: ICENode, from: TransportAddress, to: TransportAddress) -> TransportAddress {
        from == node.host ? node.nat?.outward(from: from, to: to) ?? from : from
    }

    /// The recipient and base address of a datagram; `nil` if it is lost.
    private func route(from source: TransportAddress, to destination: TransportAddress) -> (ICENode, TransportAddress)?
    {
        for node in [a, b] {
            if node.relay == destination || node.others.contains(destination) { return (node, destination) }
            if let nat = node.nat {
                if nat.outside == destination.ip, let inner = nat.inward(to: destination.port, from: source) {
                    return (node, inner)
                }
            } else if node.host == destination {
                return (node, destination)
            }
        }
        return nil
    }

    private func arrive(_ packet: [UInt8]) {
        let (bytes, source, destination) = Self.unwrap(packet)
        if destination == Self.server { return serve(bytes, from: source) }
        guard let (node, base) = route(from: source, to: destination) else { return }
        node.received.append(bytes)
        give(node, .datagram(bytes, from: source, onLocal: base))
    }

    private func serve(_ bytes: [UInt8], from source: TransportAddress) {
        guard serverAnswers, let request = try? STUNPacket(parsing: bytes.span.bytes).message else { return }
        let answer = STUNMessage(.success, .binding, request.transaction, [.xorMappedAddress(source)])
        serverLink.send(Self.wrap(answer.serialised(), from: Self.server, to: source), now: now)
    }

    // MARK: TCP: nothing is lost, and it comes in order

    /// Opens a connection after a round trip if the destination listens; behind a silent firewall nothing happens.
    private func connect(_ node: ICENode, from: TransportAddress, to: TransportAddress) {
        node.connects.append(to)
        guard !blocksTCP else { return }
        let hears = peer(of: node).listens == to
        let own = TransportAddress(from.ip, port: 50_000 + UInt16(connections.count), transport: .tcp)
        let local = node.nat.map { TransportAddress($0.outside, port: own.port, transport: .tcp) } ?? own
        if hears { connections.append(.init(client: node, own: own, seen: local, server: to)) }
        node.inbox.append(
            (
                now + .milliseconds(30),
                hears ? .connected(from: from, to: to, local: own) : .disconnected(from: from, to: to)
            ))
    }

    private func carry(_ bytes: [UInt8], from: TransportAddress, to: TransportAddress) {
        for connection in connections where !connection.isClosed {
            let at = now + .milliseconds(15)
            if connection.own == from, connection.server == to {
                peer(of: connection.client).inbox.append((at, .datagram(bytes, from: connection.seen, onLocal: to)))
            } else if connection.server == from, connection.seen == to {
                connection.client.inbox.append((at, .datagram(bytes, from: from, onLocal: connection.own)))
            }
        }
    }

    /// Closes all connections, and notifies both ends at once.
    func closeConnections() {
        for connection in connections where !connection.isClosed {
            connection.isClosed = true
            give(connection.client, .disconnected(from: connection.own, to: connection.server))
            give(peer(of: connection.client), .disconnected(from: connection.server, to: connection.seen))
        }
    }

    /// Delivers an attacker's datagram, without loss.
    func inject(_ bytes: [UInt8], from source: TransportAddress, to node: ICENode) {
        give(node, .datagram(bytes, from: source, onLocal: node.host))
    }

    /// True if this end's packets on its selected pair reach the address that the other end uses.
    func reaches(_ node: ICENode) -> Bool {
        guard let pair = node.agent.selectedPair else { return false }
        if pair.base.transport == .tcp {
            return connections.contains { connection in
                guard !connection.isClosed else { return false }
                return connection.client === node
                    ? connection.own == pair.base && connection.server == pair.remote
                    : connection.server == pair.base && connection.seen == pair.remote
            }
        }
        guard !blocksUDP, !cuts(pair.base, pair.remote) else { return false }
        let source = source(of: node, from: pair.base, to: pair.remote)
        guard let (other, base) = route(from: source, to: pair.remote) else { return false }
        return other === peer(of: node) && other.agent.isProven(from: source, onLocal: base)
    }

    /// Like `isConnected`, but either end may be disconnected at the moment: the network loses some responses.
    var isAlive: Bool {
        [a, b].allSatisfy { ($0.agent.state == .connected || $0.agent.state == .disconnected) && reaches($0) }
    }

    /// True if both ends have selected working pairs.
    var isConnected: Bool {
        a.agent.state == .connected && b.agent.state == .connected && reaches(a) && reaches(b)
    }

    // MARK: Time

    /// Runs until the condition holds; returns `false` if it doesn't within this time.
    @discardableResult
    func run(for duration: Duration, until isDone: () -> Bool = { false }) throws -> Bool {
        let end = now + duration
        while true {
            if isDone() { return true }
            let next = [a.agent.deadline, b.agent.deadline, a.link.deadline, b.link.deadline, serverLink.deadline]
                .reduce(nil as Deadline?) { .earliest($0, $1) }
            let signal = (a.inbox + b.inbox).map { Deadline(at: $0.at, why: "signalling") }
                .reduce(nil as Deadline?) { .earliest($0, $1) }
            guard try time.advance(to: .earliest(next, signal), until: end) else { return isDone() }
            step()
        }
    }

    private func step() {
        for node in [a, b] {
            if let due = node.agent.deadline, due.at <= now {
                node.agent.tick(now: now)
                drain(node)
            }
            let due = node.inbox.filter { $0.at <= now }
            node.inbox.removeAll { $0.at <= now }
            for signal in due { give(node, signal.input) }
            while let packet = node.link.deliver(now: now) { arrive(packet) }
        }
        while let packet = serverLink.deliver(now: now) { arrive(packet) }
    }

    // MARK: Addresses on the simulated wire: IPv4 only

    private static func wrap(_ bytes: [UInt8], from: TransportAddress, to: TransportAddress) -> [UInt8] {
        var packet: [UInt8] = []
        for address in [from, to] {
            packet += address.ip.bytes
            packet.append(bigEndian: address.port)
        }
        return packet + bytes
    }

    private static func unwrap(_ packet: [UInt8]) -> ([UInt8], TransportAddress, TransportAddress) {
        let bytes = packet.span.bytes
        func address(_ offset: Int) -> TransportAddress {
            TransportAddress(.v4(bytes.uint32(at: offset) ?? 0), port: bytes.uint16(at: offset + 4) ?? 0)
        }
        return (Array(packet[12...]), address(0), address(6))
    }
}
