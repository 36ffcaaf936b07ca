import HelioCore
import HelioICE
import HelioOpenSSL
import HelioPeer
import HelioProtection
import HelioSCTP
import HelioSTUN
import HelioSimulation
import Testing

/// Two peer connections with real DTLS, a STUN server and what is between them, on virtual time. Signalling takes its
/// own, reliable way.
final class PeerWorld {
    static let server = TransportAddress(.v4(0xC000_0201), port: 3478)
    /// Making a key takes longer than a whole session.
    static let certificates: [OpenSSLDTLS] = (0..<2).map { _ in
        do {
            return try OpenSSLDTLS(DTLSIdentity())
        } catch {
            preconditionFailure("no certificate: \(error)")
        }
    }

    let a: PeerNode
    let b: PeerNode
    var now = Instant.zero
    var serverLink: SimulatedLink
    var signallingDelay = Duration.milliseconds(20)
    var trickles = true
    /// How long an app thinks before it answers.
    var thinkingTime = Duration.zero
    private var stepsNow = 0

    struct Conditions {
        var loss = 0.0
        var delay = Duration.milliseconds(10)
        var jitter = Duration.milliseconds(2)
        var reorder = 0.0
        var duplicate = 0.0
        var isBehindNAT = (a: false, b: false)
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
        configure(&settings.0, &settings.1)
        var way = LinkConditions(
            loss: conditions.loss > 0 ? .random(conditions.loss) : .none, delay: conditions.delay,
            jitter: conditions.jitter, reorder: conditions.reorder, duplicate: conditions.duplicate)
        way.reorderDelay = .milliseconds(7)
        func node(
            _ number: UInt32, _ configuration: PeerConnectionConfiguration, isBehindNAT: Bool
        ) -> PeerNode {
            let connection = PeerConnection(
                configuration, crypto: crypto, certificates: certificates[Int(number) - 1],
                random: SeededGenerator(seed: seeds.next()), now: .zero)
            return PeerNode(
                connection, number: number, isBehindNAT: isBehindNAT, link: SimulatedLink(way, seed: seeds.next()))
        }
        a = node(1, settings.0, isBehindNAT: conditions.isBehindNAT.a)
        b = node(2, settings.1, isBehindNAT: conditions.isBehindNAT.b)
        serverLink = SimulatedLink(way, seed: seeds.next())
        b.isPolite = true
    }

    func peer(of node: PeerNode) -> PeerNode { node === a ? b : a }

    // MARK: Signalling

    /// Tells each end its addresses.
    func gather() {
        for node in [a, b] {
            give(node, .localCandidate(.host(node.host)))
            give(node, .localCandidatesEnded)
        }
    }

    /// `node` offers; the answer comes by itself.
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
        }
        drain(node)
    }

    private func answer(at node: PeerNode) throws {
        let answer = try node.connection.makeAnswer(now: now)
        publish(answer, of: node) { .answer($0) }
        drain(node)
    }

    /// At once, or with all candidates where these don't trickle.
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

    func give(_ node: PeerNode, _ input: PeerConnection.Input) {
        node.connection.handle(input, now: now)
        drain(node)
    }

    /// Calls a connection, and carries out what comes of it.
    @discardableResult
    func call<Result>(_ node: PeerNode, _ body: (PeerConnection, Instant) throws -> Result) rethrows -> Result {
        let result = try body(node.connection, now)
        drain(node)
        return result
    }

    func drain(_ node: PeerNode) {
        while let output = node.connection.poll() {
            switch output {
            case .datagram(let bytes, let from, let to):
                node.sent.append(bytes)
                let source = from == node.host ? node.nat?.outward(from: from, to: to) ?? from : from
                node.link.send(Self.wrap(bytes, from: source, to: to), now: now)
            case .resolve(let name): node.resolves.append(name)
            case .connect, .server: Issue.record("there is neither TCP nor a relay here")
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
        case .failed(let failure): node.failures.append(failure)
        case .negotiated: node.agreements += 1
        case .channelOpened(let channel, let description, let isByPeer):
            node.opened[channel] = (description, isByPeer)
        case .message(let channel, let message):
            node.messages[channel, default: []].append(message)
            if node.isEcho { try? node.connection.send(message, on: channel, now: now) }
        case .bufferedAmountLow(let channel): node.lows.append(channel)
        case .channelClosed(let channel): node.closed.append(channel)
        case .media(.frame(let frame, _)): node.frames.append(frame)
        case .media(.keyframeNeeded): node.keyframesNeeded += 1
        case .media(.estimatedBitrate(let bitrate)): node.bitrates.append(bitrate)
        case .media: break
        case .relayFailed(_, let failure): Issue.record("a relay failed: \(failure)")
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
            if let nat = node.nat {
                guard nat.outside == destination.ip, let inner = nat.inward(to: destination.port, from: source)
                else { continue }
                return give(node, .datagram(bytes, from: source, onLocal: inner))
            } else if node.host == destination {
                return give(node, .datagram(bytes, from: source, onLocal: node.host))
            }
        }
    }

    var nodes: [PeerNode] { [a, b] }

    /// Both have been connected: the handshake is over.
    var isStanding: Bool { nodes.allSatisfy { $0.states.contains(.connected) } }

    /// Both are connected and have told so last.
    var isConnected: Bool { a.connection.state == .connected && b.connection.state == .connected }

    // MARK: Time

    /// Runs until the condition holds; `false` where it does not by then.
    @discardableResult
    func run(for duration: Duration, until isDone: () -> Bool = { false }) throws -> Bool {
        let end = now + duration
        while true {
            if isDone() { return true }
            let next = [
                a.connection.deadline, b.connection.deadline, a.link.deadline, b.link.deadline, serverLink.deadline,
            ].reduce(nil as Deadline?) { .earliest($0, $1) }
            let signal = (a.inbox + b.inbox).map { Deadline(at: $0.at, why: "signalling") }
                .reduce(nil as Deadline?) { .earliest($0, $1) }
            guard let due = Deadline.earliest(next, signal), due.at <= end else {
                now = max(now, end)
                return isDone()
            }
            if due.at > now {
                now = due.at
                stepsNow = 0
            }
            stepsNow += 1
            if stepsNow > 10_000 { throw Livelock(at: now, why: due.why) }
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
