import HelioCore
import HelioICE
import HelioOpenSSL
import HelioPeer
import HelioProtection
import HelioSCTP
import HelioSTUN
import HelioSimulation
import HelioTURN
import Testing

/// Two peer connections with real DTLS, a STUN server, a TURN server for each, and the network between them, on virtual
/// time. Signalling has its own reliable path.
final class PeerWorld {
    static let server = TransportAddress(.v4(0xC000_0201), port: 3478)
    /// The ends' certificates; shared, since making a key takes longer than a whole session.
    static let certificates: [OpenSSLDTLS] = (0..<2).map { _ in
        do {
            return try OpenSSLDTLS(DTLSIdentity())
        } catch {
            preconditionFailure("no certificate: \(error)")
        }
    }

    let a: PeerNode
    let b: PeerNode
    private var time = VirtualTime()
    var now: Instant { time.now }
    var serverLink: SimulatedLink
    var signallingDelay = Duration.milliseconds(20)
    var trickles = true
    /// Rewrites an answer in transit.
    var changesAnswer: (String) -> String = { $0 }
    /// The app's delay before it answers.
    var thinkingTime = Duration.zero
    /// True if a firewall drops all UDP, or all TCP, except to servers.
    var blocksUDP = false
    var blocksTCP = false
    private(set) var streams: [PeerStream] = []

    struct Conditions {
        var loss = 0.0
        var delay = Duration.milliseconds(10)
        var jitter = Duration.milliseconds(2)
        var reorder = 0.0
        var duplicate = 0.0
        var isBehindNAT = (a: false, b: false)
        var family = AddressFamily.ipv4
        /// Each end's transport to its own TURN server; `nil` without one.
        var relays: (a: PeerRelay.Way?, b: PeerRelay.Way?) = (nil, nil)
    }

    init(
        seed: UInt64, _ conditions: Conditions = Conditions(), crypto: any CryptoProvider = OpenSSLCrypto(),
        certificates: [any DTLSProvider] = PeerWorld.certificates,
        configure: (inout PeerConnectionConfiguration, inout PeerConnectionConfiguration) -> Void = { _, _ in }
    ) {
        var seeds = SeededGenerator(seed: seed)
        var settings = (PeerConnectionConfiguration(), PeerConnectionConfiguration())
        if conditions.isBehindNAT.a { settings.0.stunServers = [Self.server] }
        if conditions.isBehindNAT.b { settings.1.stunServers = [Self.server] }
        let relays = (
            conditions.relays.a.map { PeerRelay($0, number: 1, delay: conditions.delay, loss: conditions.loss) },
            conditions.relays.b.map { PeerRelay($0, number: 2, delay: conditions.delay, loss: conditions.loss) }
        )
        if let relay = relays.0 { settings.0.turnServers = [relay.server] }
        if let relay = relays.1 { settings.1.turnServers = [relay.server] }
        // The frame sources ignore the estimated rate, so the path starts with a sufficient one.
        settings.0.startBitrate = settings.0.mostBitrate
        settings.1.startBitrate = settings.1.mostBitrate
        configure(&settings.0, &settings.1)
        var way = LinkConditions(
            loss: conditions.loss > 0 ? .random(conditions.loss) : .none, delay: conditions.delay,
            jitter: conditions.jitter, reorder: conditions.reorder, duplicate: conditions.duplicate)
        way.reorderDelay = .milliseconds(7)
        func node(
            _ number: UInt32, _ configuration: PeerConnectionConfiguration, isBehindNAT: Bool
        ) -> PeerNode {
            let connection = PeerEngine(
                configuration, crypto: crypto, certificates: certificates[Int(number) - 1],
                random: SeededGenerator(seed: seeds.next()), now: .zero)
            return PeerNode(
                connection, number: number, isBehindNAT: isBehindNAT, family: conditions.family,
                link: SimulatedLink(way, seed: seeds.next()))
        }
        a = node(1, settings.0, isBehindNAT: conditions.isBehindNAT.a)
        b = node(2, settings.1, isBehindNAT: conditions.isBehindNAT.b)
        serverLink = SimulatedLink(way, seed: seeds.next())
        b.isPolite = true
        a.relay = relays.0
        b.relay = relays.1
    }

    func peer(of node: PeerNode) -> PeerNode { node === a ? b : a }

    // MARK: Signalling

    /// Reports its addresses to each end.
    func gather() {
        for node in [a, b] {
            if node.hasUDP { give(node, .localCandidate(.host(node.host))) }
            if let port = node.listens { give(node, .localCandidate(.tcpPassive(port))) }
            if node.mayConnect { give(node, .localCandidate(.tcpActive(node.host.ip))) }
            give(node, .localCandidatesEnded)
        }
    }

    /// Makes `node` send an offer; the answer follows by itself.
    func offer(from node: PeerNode, restartsICE: Bool = false) throws {
        let offer = try node.connection.makeOffer(restartsICE: restartsICE, now: now)
        publish(offer, of: node) { .offer($0) }
        drain(node)
    }

    /// Gathers and offers, with `a` as offerer.
    func begin() throws {
        gather()
        try offer(from: a)
    }

    func signal(to node: PeerNode, _ signal: PeerNode.Signal) {
        node.inbox.append((now + signallingDelay, signal))
    }

    private func take(_ signal: PeerNode.Signal, at node: PeerNode) throws {
        guard node.connection.state != .closed else { return }
        switch signal {
        case .offer(let text):
            if node.connection.signalingState == .haveLocalOffer {
                guard node.isPolite else { return }
                try node.connection.rollback(now: now)
                node.unpublished = nil
            }
            try node.connection.takeOffer(text, now: now)
            drain(node)
            if thinkingTime > .zero {
                node.inbox.append((now + thinkingTime, .thought))
            } else {
                try answer(at: node)
            }
        case .thought: try answer(at: node)
        case .answer(let text): try node.connection.takeAnswer(text, now: now)
        case .candidate(let text): try node.connection.addCandidate(text, now: now)
        case .input(let input): node.connection.handle(input, now: now)
        }
        drain(node)
    }

    private func answer(at node: PeerNode) throws {
        let answer = try node.connection.makeAnswer(now: now)
        let change = changesAnswer
        publish(answer, of: node) { .answer(change($0)) }
        drain(node)
    }

    /// Signals a description at once, or without trickling after gathering has ended.
    private func publish(_ text: String, of node: PeerNode, as kind: @escaping (String) -> PeerNode.Signal) {
        if trickles || node.connection.isGatheringComplete { return signal(to: peer(of: node), kind(text)) }
        node.unpublished = kind
    }

    private func publishComplete(_ node: PeerNode) {
        guard let kind = node.unpublished, let text = node.connection.localDescription else { return }
        node.unpublished = nil
        signal(to: peer(of: node), kind(text))
    }

    // MARK: Driving

    func give(_ node: PeerNode, _ input: PeerEngine.Input) {
        node.connection.handle(input, now: now)
        drain(node)
    }

    /// Calls a connection, and executes the outputs.
    @discardableResult
    func call<Result>(_ node: PeerNode, _ body: (PeerEngine, Instant) throws -> Result) rethrows -> Result {
        let result = try body(node.connection, now)
        drain(node)
        return result
    }

    func drain(_ node: PeerNode) {
        while let output = node.connection.poll() {
            switch output {
            case .datagram(let bytes, let from, let to):
                node.sent.append(bytes)
                if from.transport == .tcp {
                    carry(bytes, from: from, to: to)
                    continue
                }
                if from != node.host, !node.others.contains(from) {
                    Issue.record("sent from \(from), where there is no socket")
                }
                guard !blocksUDP || to == Self.server || relays.contains(where: { $0.relayed == to }) else { continue }
                let source = node.nat?.outward(from: from, to: to) ?? from
                node.link.send(Self.wrap(bytes, from: source, to: to), now: now)
            case .resolve(let name): node.resolves.append(name)
            case .connect(let from, let to): connect(node, from: from, to: to)
            case .server(let id, let command): order(command, id, node)
            case .event(let event): note(event, node)
            }
        }
    }

    private func note(_ event: PeerConnectionEvent, _ node: PeerNode) {
        switch event {
        case .negotiationNeeded: node.timesNeeded += 1
        case .candidate(let text):
            node.candidates.append(text)
            if trickles { signal(to: peer(of: node), .candidate(text)) }
            if text == nil { publishComplete(node) }
        case .state(let state): node.states.append(state)
        case .path(let kind): node.pathKinds.append(kind)
        case .plain(let bytes): node.plain.append(bytes)
        case .failed(let failure): node.failures.append(failure)
        case .negotiated(let agreement):
            node.agreements += 1
            node.agreement = agreement
        case .channelOpened(let channel, let description, let isByPeer):
            node.opened[channel] = (description, isByPeer)
        case .message(let channel, let message):
            node.messages[channel, default: []].append(message)
            if node.isEcho { try? node.connection.send(message, on: channel, now: now) }
        case .bufferedAmountLow(let channel): node.lows.append(channel)
        case .channelClosed(let channel): node.closed.append(channel)
        case .media(let event): note(event, node)
        case .relayFailed(_, let failure): node.relayFailures.append(failure)
        }
    }

    private func note(_ event: MediaTransport.Event, _ node: PeerNode) {
        switch event {
        case .frame(let frame, let id):
            node.frames.append(frame)
            node.framesOf[id, default: []].append(frame)
        case .orientation(let orientation, _): node.orientations.append(orientation)
        case .packet(let packet, _): node.packets.append(packet)
        case .keyframeNeeded(let id):
            node.keyframesNeeded += 1
            node.sources[id]?.wantsKeyframe = true
        case .estimatedBitrate(let bitrate): node.bitrates.append(bitrate)
        case .repairNeeded(let wish, _): node.repairs.append(wish)
        case .goodbye(let id): node.goodbyes.append(id)
        }
    }

    // MARK: The network

    private func arrive(_ packet: [UInt8]) {
        let (bytes, source, destination) = Self.unwrap(packet)
        if destination == Self.server {
            guard let request = try? STUNPacket(parsing: bytes.span.bytes).message else { return }
            let answer = STUNMessage(.success, .binding, request.transaction, [.xorMappedAddress(source)])
            return serverLink.send(Self.wrap(answer.serialised(), from: Self.server, to: source), now: now)
        }
        for node in [a, b] {
            if let relay = node.relay, relay.relayed == destination {
                return relay.hear(bytes, from: source, now: now)
            }
            if let nat = node.nat {
                guard nat.outside == destination.ip, let inner = nat.inward(to: destination.port, from: source)
                else { continue }
                return give(node, .datagram(bytes, from: source, onLocal: inner))
            } else if node.host == destination {
                return give(node, .datagram(bytes, from: source, onLocal: node.host))
            }
        }
    }

    // MARK: TURN servers

    private func order(_ command: RelayCommand, _ id: TURNServer.ID, _ node: PeerNode) {
        guard let relay = node.relay, id == relay.server.id else {
            Issue.record("there is no such server")
            return
        }
        if let event = relay.take(command, now: now) {
            node.inbox.append((now + .milliseconds(1), .input(.server(id, event))))
        }
    }

    /// Kills a TURN server with all its state.
    func kill(_ relay: PeerRelay) {
        relay.isDead = true
        guard relay.server.isTCP, let node = nodes.first(where: { $0.relay === relay }) else { return }
        node.inbox.append((now, .input(.server(relay.server.id, .disconnected))))
    }

    // MARK: TCP: nothing is lost, and it comes in order

    /// Opens a connection after a round trip if the peer listens; behind a silent firewall nothing happens.
    private func connect(_ node: PeerNode, from: TransportAddress, to: TransportAddress) {
        guard !blocksTCP else { return }
        let hears = peer(of: node).listens == to
        let own = TransportAddress(from.ip, port: 50_000 + UInt16(streams.count), transport: .tcp)
        if hears { streams.append(PeerStream(client: node, own: own, server: to)) }
        let input: PeerEngine.Input =
            hears ? .connected(from: from, to: to, local: own) : .disconnected(from: from, to: to)
        node.inbox.append((now + .milliseconds(30), .input(input)))
    }

    private func carry(_ bytes: [UInt8], from: TransportAddress, to: TransportAddress) {
        for stream in streams where !stream.isClosed {
            guard let receiver = stream.receiver(from: from, to: to, in: self) else { continue }
            receiver.inbox.append((now + .milliseconds(15), .input(.datagram(bytes, from: from, onLocal: to))))
        }
    }

    /// Closes all TCP connections, and notifies both ends at once.
    func closeStreams() {
        for stream in streams where !stream.isClosed {
            stream.isClosed = true
            give(stream.client, .disconnected(from: stream.own, to: stream.server))
            give(peer(of: stream.client), .disconnected(from: stream.server, to: stream.own))
        }
    }

    // MARK: State

    var nodes: [PeerNode] { [a, b] }
    private var relays: [PeerRelay] { nodes.compactMap(\.relay) }

    /// True if both ends have been connected once, so that the handshake is over.
    var isStanding: Bool { nodes.allSatisfy { $0.states.contains(.connected) } }

    /// True if both ends are connected now.
    var isConnected: Bool { a.connection.state == .connected && b.connection.state == .connected }

    // MARK: Time

    /// Runs until the condition holds; returns `false` if it doesn't within this time.
    @discardableResult
    func run(for duration: Duration, until isDone: () -> Bool = { false }) throws -> Bool {
        let end = now + duration
        while true {
            if isDone() { return true }
            let waiting = [
                a.connection.deadline, b.connection.deadline, a.link.deadline, b.link.deadline, serverLink.deadline,
                a.sourceDeadline, b.sourceDeadline,
            ]
            let next = (waiting + relays.map(\.deadline)).reduce(nil as Deadline?) { .earliest($0, $1) }
            let signal = (a.inbox + b.inbox).map { Deadline(at: $0.at, why: "signalling") }
                .reduce(nil as Deadline?) { .earliest($0, $1) }
            guard try time.advance(to: .earliest(next, signal), until: end) else { return isDone() }
            try step()
        }
    }

    private func step() throws {
        for node in [a, b] {
            if let due = node.connection.deadline, due.at <= now {
                node.connection.tick(now: now)
                drain(node)
            }
            let due = node.inbox.filter { $0.at <= now }
            node.inbox.removeAll { $0.at <= now }
            for (_, signal) in due { try take(signal, at: node) }
            while let packet = node.link.deliver(now: now) { arrive(packet) }
            for (id, slice) in node.takeSlices(now: now) {
                call(node) { $0.send(slice, codec: .h264, on: id, now: $1) }
            }
            if let relay = node.relay { serve(relay, node) }
        }
        while let packet = serverLink.deliver(now: now) { arrive(packet) }
    }

    private func serve(_ relay: PeerRelay, _ node: PeerNode) {
        relay.serve(now: now)
        while let bytes = relay.toClient.deliver(now: now) {
            if relay.isOpen { give(node, .server(relay.server.id, .received(bytes))) }
        }
        while let packet = relay.toPeers.deliver(now: now) { arrive(packet) }
    }

    // MARK: Addresses on the simulated wire: of both ends, of one family

    static func wrap(_ bytes: [UInt8], from: TransportAddress, to: TransportAddress) -> [UInt8] {
        var packet = [UInt8(from.ip.bytes.count)]
        for address in [from, to] {
            packet += address.ip.bytes
            packet.append(bigEndian: address.port)
        }
        return packet + bytes
    }

    private static func unwrap(_ packet: [UInt8]) -> ([UInt8], TransportAddress, TransportAddress) {
        let (bytes, size) = (packet.span.bytes, Int(packet[0]))
        func address(_ offset: Int) -> TransportAddress {
            let ip: IPAddress =
                size == 4
                ? .v4(bytes.uint32(at: offset) ?? 0)
                : .v6(high: bytes.uint64(at: offset) ?? 0, low: bytes.uint64(at: offset + 8) ?? 0)
            return TransportAddress(ip, port: bytes.uint16(at: offset + size) ?? 0)
        }
        return (Array(packet[(1 + 2 * (size + 2))...]), address(1), address(1 + size + 2))
    }
}
