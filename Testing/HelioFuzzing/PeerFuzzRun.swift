import HelioCore
import HelioICE
import HelioPeer
import HelioProtection
import HelioSCTP
import HelioSDP
import HelioSTUN

/// A connection under fuzzing, a genuine one at its other end, and a network that loses nothing.
struct PeerFuzzRun {
    private typealias Event = PeerConnectionFuzz.Event
    private typealias Stage = PeerConnectionFuzz.Stage

    /// One input may have many packets as its consequence: all that a window lets go.
    private static let mostOutputs = 4000
    private static let host = PeerConnectionFuzz.host
    private static let peerHost = PeerConnectionFuzz.peer

    private let victim: PeerConnection
    private let peer: PeerConnection
    private let offers: Bool
    private var now = Instant.zero
    private var toPeer: [[UInt8]] = []
    private var toVictim: [[UInt8]] = []
    /// DTLS does not pass yet.
    private var isHeldBack = false
    /// Of the victim's association: what packets to it begin with.
    private var tag: UInt32 = 0
    private var asked: STUNTransactionID?
    private var messages = 0
    private var channels: [PeerChannelID] = []

    init(offers: Bool, isLite: Bool, hasMedia: Bool) {
        self.offers = offers
        var configuration = PeerConnectionConfiguration()
        // A description is written in no time then.
        if !hasMedia {
            configuration.codecs = []
            configuration.headerExtensions = []
        }
        peer = PeerConnection(
            configuration, crypto: ToyCrypto(), certificates: ToyDTLS(1), random: SeededGenerator(seed: 1), now: .zero)
        configuration.isLite = isLite
        victim = PeerConnection(
            configuration, crypto: ToyCrypto(), certificates: ToyDTLS(2), random: SeededGenerator(seed: 2), now: .zero)
        for (connection, address) in [(victim, Self.host), (peer, Self.peerHost)] {
            connection.handle(.localCandidate(.host(address)), now: now)
            connection.handle(.localCandidatesEnded, now: now)
        }
        openChannel()
        if hasMedia { _ = try? victim.addTrack(.video, now: now) }
        _ = try? peer.openChannel(DataChannelDescription(label: "theirs"), now: now)
        drain()
    }

    // MARK: Before

    mutating func reach(_ stage: PeerConnectionFuzz.Stage) {
        guard stage > .new else { return }
        do {
            if offers {
                let offer = try victim.makeOffer(now: now)
                guard stage > .described else { return drain() }
                try peer.takeOffer(offer, now: now)
                try victim.takeAnswer(try peer.makeAnswer(now: now), now: now)
            } else {
                try victim.takeOffer(try peer.makeOffer(now: now), now: now)
                guard stage > .described else { return drain() }
                try peer.takeAnswer(try victim.makeAnswer(now: now), now: now)
            }
        } catch {
            preconditionFailure("two of a kind don't agree: \(error)")
        }
        drain()
        guard stage > .agreed else { return }
        isHeldBack = stage == .checked
        pass(.milliseconds(1200))
        isHeldBack = false
        guard stage == .standing else { return }
        precondition(victim.state == .connected && peer.state == .connected, "the connection must stand")
        precondition(tag != 0 && !channels.isEmpty, "the association must stand")
    }

    // MARK: Events

    mutating func take(_ event: PeerConnectionFuzz.Event, _ bytes: [UInt8], time: UInt8) {
        if time > 0 { pass(.milliseconds(Int64(time) * Int64(time) * 20)) }
        switch event {
        case .junk: give(.datagram(bytes, from: Self.peerHost, onLocal: Self.host))
        case .strangersJunk:
            let before = (victim.state, victim.path, victim.signalingState)
            let stranger = TransportAddress(.v4(0x0909_0900 + UInt32(bytes.count & 7)), port: 9)
            give(.datagram(bytes, from: stranger, onLocal: Self.host))
            precondition((victim.state, victim.path, victim.signalingState) == before, "a stranger changed something")
        case .chunks:
            var packet: [UInt8] = [0x13, 0x88, 0x13, 0x88]
            packet.append(bigEndian: tag)
            packet.append(bigEndian: UInt32(0))
            packet += bytes
            packet.setPacketChecksum()
            give(.datagram([ToyDTLS.data] + packet, from: Self.peerHost, onLocal: Self.host))
        case .check: check(bytes)
        case .description: describe(bytes)
        case .candidate:
            try? victim.addCandidate(String(decoding: bytes, as: UTF8.self), now: now)
            drain()
        case .call: call(bytes)
        case .time: pass(.milliseconds(300))
        }
    }

    private mutating func check(_ bytes: [UInt8]) {
        guard let packet = try? STUNPacket(parsing: bytes.span.bytes), let own = credentials(victim),
            let theirs = credentials(peer)
        else { return }
        var message = packet.message
        if message.kind == .request {
            message.attributes.removeAll { if case .username = $0 { true } else { false } }
            message.attributes.insert(.username("\(own.name):\(theirs.name)"), at: 0)
        } else if let asked {
            message.transaction = asked
        }
        let password = message.kind == .request ? own.password : theirs.password
        guard let mac = try? ToyCrypto().mac(.sha1, key: SecretBytes(Array(password.utf8))) else {
            preconditionFailure("any key is good")
        }
        let sealed = message.serialised(integrity: .sha1) { mac.code(over: $0, trailer: nil).bytes }
        give(.datagram(sealed, from: Self.peerHost, onLocal: Self.host))
    }

    private func credentials(_ connection: PeerConnection) -> (name: String, password: String)? {
        guard let text = connection.localDescription, let session = try? SessionDescription(parsing: Array(text.utf8)),
            let section = session.media.first(where: { $0.attributes.first(ICEUsernameFragment.self) != nil }),
            let name = section.attributes.first(ICEUsernameFragment.self),
            let password = section.attributes.first(ICEPassword.self)
        else { return nil }
        return (name.text, password.text)
    }

    private mutating func describe(_ bytes: [UInt8]) {
        var text = bytes.dropFirst(5)
        if let flags = bytes.first, flags & 1 != 0, bytes.count >= 5 {
            // The rest of the bytes in place of some of the text.
            guard let genuine = genuineText(restartsICE: flags & 2 != 0) else { return }
            var changed = Array(genuine.utf8)
            let start = (Int(bytes[1]) << 8 | Int(bytes[2])) % (changed.count + 1)
            changed.replaceSubrange(start..<min(changed.count, start + Int(bytes[3])), with: text)
            text = changed[...]
        }
        let description = String(decoding: text, as: UTF8.self)
        let before = victim.signalingState
        if before == .haveLocalOffer {
            try? victim.takeAnswer(description, now: now)
        } else if (try? victim.takeOffer(description, now: now)) != nil {
            if (bytes.first ?? 0) & 4 == 0 {
                _ = try? victim.makeAnswer(now: now)
            } else {
                try? victim.rollback(now: now)
            }
        } else {
            precondition(victim.signalingState == before, "a refused offer left something")
        }
        drain()
    }

    private mutating func genuineText(restartsICE: Bool) -> String? {
        guard victim.signalingState == .haveLocalOffer else {
            if peer.signalingState == .haveLocalOffer { try? peer.rollback(now: now) }
            return try? peer.makeOffer(restartsICE: restartsICE, now: now)
        }
        guard let offer = victim.localDescription else { return nil }
        if peer.signalingState != .stable { try? peer.rollback(now: now) }
        guard (try? peer.takeOffer(offer, now: now)) != nil else { return nil }
        return try? peer.makeAnswer(now: now)
    }

    private mutating func call(_ bytes: [UInt8]) {
        let (kind, rest) = (bytes.first ?? 0, bytes.dropFirst())
        let channel = channels.isEmpty ? nil : channels[Int(rest.first ?? 0) % channels.count]
        switch kind & 15 {
        case 0: openChannel(number: kind & 16 == 0 ? nil : UInt16(rest.first ?? 0), reliability: kind >> 5)
        case 1, 2:
            let message = [UInt8](repeating: kind, count: rest.count << (kind >> 5))
            if let channel {
                try? victim.send(kind & 16 == 0 ? .text(message) : .binary(message), on: channel, now: now)
            }
        case 3: if let channel { victim.closeChannel(channel, now: now) }
        case 4: _ = try? victim.makeOffer(restartsICE: kind & 16 != 0, now: now)
        case 5: try? victim.rollback(now: now)
        case 6: _ = try? victim.makeAnswer(now: now)
        case 7: _ = try? victim.addTrack(kind & 16 == 0 ? .video : .audio, receives: kind & 32 != 0, now: now)
        case 8:
            if let some = victim.transceivers.first?.id { try? victim.stop(some, now: now) }
        case 9:
            if let some = victim.transceivers.first?.id {
                try? victim.setDirection(MediaDirection.allCases[Int(kind >> 6)], of: some, now: now)
            }
        case 10:
            let address = TransportAddress(.v4(0xC000_0210 + UInt32(kind >> 4)), port: 5000)
            victim.handle(.localCandidate(.host(address)), now: now)
        case 11:
            let addresses = rest.prefix(8).map { IPAddress.v4(0xC000_0300 + UInt32($0)) }
            victim.handle(.resolved(String(decoding: rest, as: UTF8.self), addresses), now: now)
        case 12: victim.handle(.disconnected(from: Self.host, to: Self.peerHost), now: now)
        case 13: if let channel { victim.setBufferedAmountLowThreshold(rest.count * 16, of: channel) }
        case 14: _ = victim.localDescription
        default: if kind == 0xFF { victim.close(now: now) }
        }
        drain()
    }

    private mutating func openChannel(number: UInt16? = nil, reliability: UInt8 = 0) {
        var description = DataChannelDescription(label: "ours")
        description.isOrdered = reliability & 4 == 0
        switch reliability & 3 {
        case 1: description.reliability = .retransmissions(1)
        case 2: description.reliability = .lifetime(.milliseconds(100))
        default: break
        }
        guard channels.count < 64, let name = try? victim.openChannel(description, number: number, now: now) else {
            return
        }
        channels.append(name)
    }

    // MARK: After

    mutating func end() {
        pass(.milliseconds(500))
        victim.close(now: now)
        drain()
        precondition(victim.state == .closed && victim.deadline == nil, "a closed connection waits for something")
        give(.datagram([ToyDTLS.data, 0], from: Self.peerHost, onLocal: Self.host))
        victim.tick(now: now)
        precondition(victim.poll() == nil, "a closed connection says something")
    }

    // MARK: Driving

    private mutating func give(_ input: PeerConnection.Input) {
        victim.handle(input, now: now)
        drain()
    }

    private mutating func drain() {
        var count = 0
        while let output = victim.poll() {
            count += 1
            precondition(count < Self.mostOutputs, "one input has too many consequences")
            switch output {
            case .datagram(let bytes, let from, let to):
                precondition(bytes.count <= 1500, "a datagram too long")
                if bytes.first == 0, from == Self.host, let packet = try? STUNPacket(parsing: bytes.span.bytes),
                    packet.message.kind == .request
                {
                    asked = packet.message.transaction
                }
                if from == Self.host, to == Self.peerHost { toPeer.append(bytes) }
            case .event(.message): messages += 1
            case .event(.channelOpened(let name, _, true)): if channels.count < 64 { channels.append(name) }
            case .event, .resolve, .connect, .server: break
            }
        }
        while let output = peer.poll() {
            guard case .datagram(let bytes, _, let to) = output, to == Self.host else { continue }
            if bytes.first == ToyDTLS.data { tag = bytes.span.bytes.uint32(at: 5) ?? 0 }
            toVictim.append(bytes)
        }
    }

    /// Delivers what is on its way.
    private mutating func settle() {
        var count = 0
        while !toPeer.isEmpty || !toVictim.isEmpty {
            count += 1
            precondition(count < Self.mostOutputs, "two ends talk without end")
            let (ahead, back) = (toPeer, toVictim)
            (toPeer, toVictim) = ([], [])
            for bytes in ahead where passes(bytes) {
                peer.handle(.datagram(bytes, from: Self.host, onLocal: Self.peerHost), now: now)
                drain()
            }
            for bytes in back where passes(bytes) { give(.datagram(bytes, from: Self.peerHost, onLocal: Self.host)) }
        }
    }

    private func passes(_ bytes: [UInt8]) -> Bool { !isHeldBack || bytes.first.map { $0 < 20 } == true }

    private mutating func pass(_ duration: Duration) {
        let end = now + duration
        var steps = 0
        settle()
        while let due = Deadline.earliest(victim.deadline, peer.deadline), due.at <= end {
            now = max(now, due.at)
            if let due = victim.deadline, due.at <= now { victim.tick(now: now) }
            if let due = peer.deadline, due.at <= now { peer.tick(now: now) }
            drain()
            settle()
            steps += 1
            precondition(steps < 20_000, "no end of work: \(due.why)")
        }
        now = end
    }
}
