import HelioCore
import HelioICE
import HelioPeer
import HelioProtection
import HelioRTP
import HelioSCTP
import HelioSDP
import HelioSTUN
import HelioTURN

/// Runs the peer connection under test (`victim`), a genuine peer, and a network without loss.
struct PeerFuzzRun: ~Copyable {
    private typealias Event = PeerConnectionFuzz.Event
    private typealias Stage = PeerConnectionFuzz.Stage

    /// The maximum number of outputs for one input; many, as an increase of the congestion window may release many
    /// packets.
    private static let mostOutputs = 4000
    private static let host = PeerConnectionFuzz.host
    private static let peerHost = PeerConnectionFuzz.peer

    private let victim: PeerEngine
    private let peer: PeerEngine
    private let offers: Bool
    private let usesRelaysOnly: Bool
    private var now = Instant.zero
    private var toPeer: [(bytes: [UInt8], from: TransportAddress)] = []
    private var toVictim: [(bytes: [UInt8], to: TransportAddress)] = []
    /// A working TURN server over UDP. A second one over TCP sends only the bytes of events.
    private var server = ToyTURNServer()
    private var toServers: [(TURNServer.ID, RelayCommand)] = []
    /// The victim's last request to each TURN server, for matching answers.
    private var askedServer: [TURNServer.ID: STUNMessage] = [:]
    private var sender: SRTPSender
    private var extenders: [SSRC: SequenceExtender] = [:]
    /// The bits that select which of the peer's next media packets are lost, lowest bit first.
    private var losses: UInt8 = 0
    private var frame: UInt64 = 0
    /// True while DTLS and media datagrams are dropped, so that only ICE succeeds.
    private var isHeldBack = false
    /// The verification tag of the victim's SCTP association, required in packets to the victim.
    private var tag: UInt32 = 0
    private var asked: STUNTransactionID?
    private var messages = 0
    private var channels: [PeerChannelID] = []

    init(offers: Bool, isLite: Bool, hasMedia: Bool, hasRelays: Bool, usesRelaysOnly: Bool) {
        self.offers = offers
        self.usesRelaysOnly = usesRelaysOnly
        // The answerer is the DTLS client.
        sender = Self.sender(of: offers ? .client : .server)
        var configuration = PeerConnectionConfiguration()
        // Short descriptions are faster to write, and are enough without media.
        if !hasMedia {
            configuration.codecs = []
            configuration.headerExtensions = []
        }
        peer = PeerEngine(
            configuration, crypto: ToyCrypto(), certificates: ToyDTLS(1), random: SeededGenerator(seed: 1), now: .zero)
        configuration.isLite = isLite
        configuration.usesRelaysOnly = usesRelaysOnly
        if hasRelays {
            configuration.turnServers = [TURNFuzz.server(0, isTCP: false), TURNFuzz.server(1, isTCP: true)]
        }
        victim = PeerEngine(
            configuration, crypto: ToyCrypto(), certificates: ToyDTLS(2), random: SeededGenerator(seed: 2), now: .zero)
        for (connection, address) in [(victim, Self.host), (peer, Self.peerHost)] {
            connection.handle(.localCandidate(.host(address)), now: now)
            connection.handle(.localCandidatesEnded, now: now)
        }
        openChannel()
        if hasMedia {
            for one in [victim, peer] { _ = try? one.addTrack(.video, receives: true, now: now) }
        }
        _ = try? peer.openChannel(DataChannelDescription(label: "theirs"), now: now)
        drain()
    }

    /// Makes an SRTP sender with the keys that ``ToyDTLS`` exports for a role.
    private static func sender(of role: DTLSRole) -> SRTPSender {
        let profile = PeerConnectionConfiguration().srtpProfiles[0]
        let exported = (0..<SRTPKeyPair.exportedLength(profile)).map { UInt8(truncatingIfNeeded: $0) }
        guard let keys = SRTPKeyPair(profile, exported: SecretBytes(exported), role: role),
            let sender = try? SRTPSender(key: keys.local, crypto: ToyCrypto(), streamLimit: 64)
        else { preconditionFailure("any key is good") }
        return sender
    }

    // MARK: Setup

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
        // A relayed pair is nominated only after a while, in case a better pair succeeds.
        pass(.milliseconds(usesRelaysOnly ? 3200 : 1200))
        isHeldBack = false
        guard stage == .standing else { return }
        precondition(victim.state == .connected && peer.state == .connected, "the connection must stand")
        precondition(tag != 0 && !channels.isEmpty, "the association must stand")
    }

    // MARK: Events

    mutating func take(_ event: PeerConnectionFuzz.Event, _ bytes: [UInt8], time: UInt8) {
        if time > 0 { pass(.milliseconds(Int64(time) * Int64(time) * 80)) }
        switch event {
        case .junk: giveFromPeer(bytes)
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
            giveFromPeer([ToyDTLS.data] + packet)
        case .check: check(bytes)
        case .description: describe(bytes)
        case .candidate:
            try? victim.addCandidate(String(decoding: bytes, as: UTF8.self), now: now)
            drain()
        case .call: call(bytes)
        case .time: pass(.milliseconds(300))
        case .server: serve(bytes)
        case .media: sendMedia(bytes)
        case .peerVideo: sendVideo(bytes)
        }
    }

    /// Simulates a TURN server. The first byte selects the server (bits 0 and 1) and the action (bits 2 to 4): connect,
    /// disconnect, send the rest, send the rest as an answer to the last request, or relay the rest.
    private mutating func serve(_ bytes: [UInt8]) {
        let (head, rest) = (bytes.first ?? 0, Array(bytes.dropFirst()))
        let id = TURNServer.ID(rawValue: Int(head & 3))
        switch head >> 2 & 7 {
        case 0: give(.server(id, .connected))
        case 1: give(.server(id, .disconnected))
        case 2: give(.server(id, .received(rest)))
        case 3, 4:
            guard let packet = try? STUNPacket(parsing: rest.span.bytes), let request = askedServer[id] else { return }
            var message = packet.message
            (message.transaction, message.method) = (request.transaction, request.method)
            give(.server(id, .received(TURNFuzz.sealed(message, for: request))))
        default: give(.server(id, .received(server.hear(rest, from: Self.peerHost))))
        }
    }

    /// Sends a media packet. In RTP packets, the payload type is mapped to one of the negotiated ones, and the SSRC to
    /// one of the peer's or an unknown one.
    private mutating func sendMedia(_ bytes: [UInt8]) {
        guard let head = bytes.first else { return }
        var packet = Array(bytes.dropFirst())
        if head & 1 != 0 {
            guard (try? sender.protect(rtcp: &packet)) != nil else { return }
        } else {
            let media = victim.agreement?.media.first
            let types =
                media?.codecs.flatMap { [$0.receivePayloadType, $0.receiveRetransmissionType].compactMap { $0 } } ?? []
            let streams = (media?.remote.sources ?? []) + [SSRC(1), SSRC(2)]
            if packet.count >= 12 {
                if !types.isEmpty { packet[1] = packet[1] & 0x80 | types[Int(packet[1] & 0x7F) % types.count].rawValue }
                packet.set(bigEndian: streams[Int(packet[11]) % streams.count].rawValue, at: 8)
            }
            guard let header = RTPHeader.parse(packet.span.bytes) else { return }
            let sequence = extenders[header.ssrc, default: SequenceExtender()].extended(header.sequence)
            extenders[header.ssrc, default: SequenceExtender()].accept(sequence)
            guard (try? sender.protect(rtp: &packet, headerLength: header.length, sequence: sequence)) != nil else {
                return
            }
        }
        giveFromPeer(packet)
    }

    private mutating func sendVideo(_ bytes: [UInt8]) {
        losses = bytes.first ?? 0
        send(by: peer, size: 200 * (1 + bytes.count), isKeyframe: frame % 8 == 0)
        settle()
    }

    private mutating func send(by end: PeerEngine, size: Int, isKeyframe: Bool) {
        guard let id = end.transceivers.first(where: { $0.kind == .video })?.id else { return }
        let unit: [UInt8] = [0, 0, 1, isKeyframe ? 0x65 : 0x41, 0x88] + [UInt8](repeating: 0x55, count: size)
        let slice = EncodedSlice(
            frameIndex: frame, annexB: unit, isFirst: true, isLast: true, isKeyframe: isKeyframe,
            timing: FrameTiming(damaged: now, captured: now))
        frame += 1
        end.send(slice, codec: .h264, on: id, now: now)
        drain()
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
        giveFromPeer(sealed)
    }

    private func credentials(_ connection: PeerEngine) -> (name: String, password: String)? {
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
            // The remaining bytes replace a part of a genuine description.
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
        case 14:
            if kind & 16 == 0 {
                _ = victim.localDescription
            } else if kind & 32 == 0 {
                send(by: victim, size: rest.count * 50, isKeyframe: kind & 64 != 0)
            } else if let some = victim.transceivers.first?.id {
                victim.decoderFailed(on: some, now: now)
            }
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

    // MARK: End

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

    private mutating func give(_ input: PeerEngine.Input) {
        victim.handle(input, now: now)
        drain()
    }

    private mutating func giveFromPeer(_ bytes: [UInt8]) { giveFromPeer(bytes, byRelay: usesRelaysOnly) }

    private mutating func giveFromPeer(_ bytes: [UInt8], byRelay: Bool) {
        guard byRelay else { return give(.datagram(bytes, from: Self.peerHost, onLocal: Self.host)) }
        give(.server(TURNServer.ID(rawValue: 0), .received(server.hear(bytes, from: Self.peerHost))))
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
                if from == Self.host, to == Self.peerHost { toPeer.append((bytes, from)) }
            case .event(.message): messages += 1
            case .event(.channelOpened(let name, _, true)): if channels.count < 64 { channels.append(name) }
            case .server(let id, let command): toServers.append((id, command))
            case .event, .resolve, .connect: break
            }
        }
        while let output = peer.poll() {
            guard case .datagram(let bytes, _, let to) = output, to == Self.host || to == ToyTURNServer.relayed else {
                continue
            }
            if bytes.first == ToyDTLS.data { tag = bytes.span.bytes.uint32(at: 5) ?? 0 }
            toVictim.append((bytes, to))
        }
    }

    private mutating func answer(_ command: RelayCommand, _ id: TURNServer.ID) {
        switch command {
        case .open: if id.rawValue == 0 { give(.server(id, .connected)) }
        case .close: break
        case .send(let bytes):
            if let packet = try? STUNPacket(parsing: bytes.span.bytes), packet.message.kind == .request {
                askedServer[id] = packet.message
            }
            guard id.rawValue == 0 else { return }
            let (answer, forwarded) = server.take(bytes)
            if let (bytes, to) = forwarded, to == Self.peerHost { toPeer.append((bytes, ToyTURNServer.relayed)) }
            if let answer { give(.server(id, .received(answer))) }
        }
    }

    /// Delivers all datagrams and commands in transit, until none is left.
    private mutating func settle() {
        var count = 0
        while !toPeer.isEmpty || !toVictim.isEmpty || !toServers.isEmpty {
            count += 1
            precondition(count < Self.mostOutputs, "two ends talk without end")
            let (ahead, back, commands) = (toPeer, toVictim, toServers)
            (toPeer, toVictim, toServers) = ([], [], [])
            for (id, command) in commands { answer(command, id) }
            for (bytes, from) in ahead where passes(bytes) {
                peer.handle(.datagram(bytes, from: from, onLocal: Self.peerHost), now: now)
                drain()
            }
            for (bytes, to) in back where passes(bytes) && !isLost(bytes) {
                giveFromPeer(bytes, byRelay: to != Self.host)
            }
        }
    }

    private func passes(_ bytes: [UInt8]) -> Bool { !isHeldBack || bytes.first.map { $0 < 20 } == true }

    private mutating func isLost(_ bytes: [UInt8]) -> Bool {
        guard bytes.first.map({ $0 >= 128 }) == true else { return false }
        defer { losses >>= 1 }
        return losses & 1 != 0
    }

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
