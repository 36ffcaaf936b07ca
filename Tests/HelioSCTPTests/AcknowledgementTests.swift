import HelioCore
import HelioSCTP
import HelioSimulation
import Testing

@Suite("What is acknowledged, when, and what is made of it")
struct AcknowledgementTests {
    /// The fields of a SACK chunk.
    private struct Sack {
        var cumulative: UInt32
        var window: UInt32
        var gaps: UInt16
        var repeated: [UInt32]
    }

    private static func chunks(of packet: [UInt8], _ type: ChunkType) -> [(flags: UInt8, value: [UInt8])] {
        var reader = ChunkReader(SCTPHeader.size..<packet.count)
        var found: [(UInt8, [UInt8])] = []
        while let item = reader.next(in: packet.span.bytes) {
            if item.type == type { found.append((item.flags, Array(packet[item.value]))) }
        }
        return found
    }

    private static func sack(in packets: [[UInt8]]) -> Sack? {
        guard let bytes = packets.flatMap({ chunks(of: $0, .sack) }).last?.value else { return nil }
        let span = bytes.span.bytes
        guard let cumulative = span.uint32(at: 0), let window = span.uint32(at: 4), let gaps = span.uint16(at: 8),
            let repeated = span.uint16(at: 10)
        else { return nil }
        let start = 12 + 4 * Int(gaps)
        return Sack(
            cumulative: cumulative, window: window, gaps: gaps,
            repeated: (0..<Int(repeated)).compactMap { span.uint32(at: start + 4 * $0) })
    }

    /// The TSNs of an end's sent DATA chunks, in order.
    private static func tsns(_ packets: some Sequence<[UInt8]>) -> [UInt32] {
        packets.flatMap { chunks(of: $0, .data) }.compactMap { $0.value.span.bytes.uint32(at: 0) }
    }

    /// An end `b` that has sent `count` DATA packets from TSN 5000 on, to a peer that the test plays.
    private static func sending(_ count: Int) throws -> HostileTests.Victim {
        var victim = try HostileTests.Victim()
        victim.world.stepper.network.aToB.conditions.loss = .random(1)
        victim.world.stepper.network.bToA.conditions.loss = .random(1)
        victim.world.stepper.b.keepsDatagrams = true
        victim.world.stepper.b.outbox = (0..<count).map {
            .init(stream: 1, payload: [UInt8](repeating: UInt8($0), count: 1100))
        }
        try victim.world.run(.milliseconds(1))
        return victim
    }

    // MARK: RFC 7053

    @Test(
        "a single packet is acknowledged after a while, and at once where its sender wants it so",
        arguments: [true, false])
    func immediate(isWanted: Bool) throws {
        var victim = try HostileTests.Victim()
        var flags: DataChunk.Flags = [.beginning, .end]
        if isWanted { flags.insert(.immediate) }
        let answers = victim.answers(to: victim.packet(HostileTests.data(victim.nextTSN, [1], flags: flags)))
        #expect((Self.sack(in: answers)?.cumulative == victim.nextTSN) == isWanted)
        #expect(answers.isEmpty == !isWanted)
        #expect(victim.received == [[1]])
        if !isWanted {
            victim.world.stepper.b.keepsDatagrams = true
            try victim.world.run(.milliseconds(199))
            #expect(victim.world.stepper.b.datagrams == [])
            try victim.world.run(.milliseconds(2))
            let sack = Self.sack(in: victim.world.stepper.b.datagrams)
            #expect(sack?.cumulative == victim.nextTSN)
        }
    }

    @Test("every second packet is acknowledged at once")
    func everySecond() throws {
        var victim = try HostileTests.Victim()
        for number in 0..<6 as Range<UInt8> {
            let tsn = victim.nextTSN + UInt32(number)
            let answers = victim.answers(
                to: victim.packet(HostileTests.data(tsn, [number], sequence: UInt16(number))))
            #expect(Self.sack(in: answers)?.cumulative == (number % 2 == 0 ? nil : tsn), "packet \(number)")
        }
    }

    @Test("the last of what is sent asks for its acknowledgement at once, and all of who may send a single packet only")
    func asks() throws {
        var victim = try Self.sending(3)
        // After a time-out, one packet may be sent.
        try victim.world.run(.seconds(2))
        let flags = victim.world.stepper.b.datagrams.flatMap { Self.chunks(of: $0, .data) }.map(\.flags)
        let isAsked = flags.map { $0 & DataChunk.Flags.immediate.rawValue != 0 }
        #expect(isAsked.count > 3 && isAsked.prefix(3) == [false, false, true])
        #expect(isAsked.dropFirst(3).allSatisfy { $0 })
    }

    @Test("each round trip is measured: one that was repeated is not, as nobody knows which was acknowledged")
    func roundTrip() throws {
        var victim = try Self.sending(2)
        // The first measurement is of the handshake.
        let before = victim.world.stepper.b.association.roundTrip?.number ?? 0
        try victim.world.run(.milliseconds(29))
        victim.feed(victim.packet(HostileTests.sack(5001)))
        let latest = victim.world.stepper.b.association.roundTrip
        let measured = try #require(latest)
        #expect(measured.number == before + 1)
        #expect((.milliseconds(29) ... .milliseconds(31)).contains(measured.time), "\(measured.time)")
        victim.world.stepper.b.outbox = [.init(stream: 1, payload: [1])]
        try victim.world.run(.seconds(3))
        victim.feed(victim.packet(HostileTests.sack(5002)))
        let isIdle = victim.world.stepper.b.association.isIdle
        #expect(isIdle)
        let after = victim.world.stepper.b.association.roundTrip
        #expect(after == measured)
    }

    // MARK: RFC 9260 section 6.2

    @Test("TSNs that came twice are told")
    func repeated() throws {
        var victim = try HostileTests.Victim()
        var packets: [[UInt8]] = []
        for number in 0..<3 as Range<UInt8> {
            let data = HostileTests.data(victim.nextTSN + UInt32(number), [number], sequence: UInt16(number))
            packets.append(victim.packet(data))
            victim.feed(packets[packets.count - 1])
        }
        let answers = victim.answers(to: packets[1])
        let sack = try #require(Self.sack(in: answers))
        #expect(sack.cumulative == victim.nextTSN + 2 && sack.repeated == [victim.nextTSN + 1] && sack.gaps == 0)
        // Duplicates are reported only once.
        let next = victim.packet(HostileTests.data(victim.nextTSN + 4, [4], sequence: 4))
        let laterAnswers = victim.answers(to: next)
        let later = try #require(Self.sack(in: laterAnswers))
        #expect(later.cumulative == victim.nextTSN + 2 && later.gaps == 1 && later.repeated.isEmpty)
        #expect(victim.received == [[0], [1], [2]] && victim.drops[.duplicateData] == 1)
    }

    @Test("what the other end had and has thrown away goes again")
    func retracted() throws {
        var victim = try Self.sending(3)
        let sent = Self.tsns(victim.world.stepper.b.datagrams)
        #expect(sent == [5000, 5001, 5002])
        victim.feed(victim.packet(HostileTests.sack(4999, gaps: [(2, 3)])))
        let before = victim.world.stepper.b.datagrams.count
        #expect(before == 3)
        // The gap block is withdrawn, and with it 5001 and 5002.
        victim.feed(victim.packet(HostileTests.sack(4999)))
        try victim.world.run(.seconds(5))
        let again = Set(Self.tsns(victim.world.stepper.b.datagrams[before...]))
        #expect(again == [5000, 5001, 5002])
        #expect(victim.state == .established && !victim.world.stepper.b.association.isIdle)
        victim.feed(victim.packet(HostileTests.sack(5002)))
        #expect(victim.world.stepper.b.association.isIdle && victim.drops[.falseAcknowledgement] == 0)
        // Cumulatively acknowledged TSNs can't be withdrawn.
        victim.feed(victim.packet(HostileTests.sack(4999)))
        #expect(victim.drops[.oldAcknowledgement] == 1)
        try victim.world.run(.seconds(5))
        #expect(victim.world.stepper.b.association.isIdle == true)
    }

    @Test("an end without room is asked now and then, is not given up, and gets the rest once it has room")
    func zeroWindow() throws {
        var victim = try Self.sending(30)
        var heard = victim.world.stepper.b.datagrams.count
        let first = Self.tsns(victim.world.stepper.b.datagrams)
        let last = try #require(first.last)
        #expect(first.count < 30)
        victim.feed(victim.packet(HostileTests.sack(last, window: 0)))
        var probes: [UInt32] = []
        let start = victim.world.now
        while victim.world.now - start < .seconds(900) {
            try victim.world.run(.milliseconds(50))
            let new = victim.world.stepper.b.datagrams[heard...]
            heard = victim.world.stepper.b.datagrams.count
            guard !Self.tsns(new).isEmpty else { continue }
            probes += Self.tsns(new)
            victim.feed(victim.packet(HostileTests.sack(last, window: 0)))
        }
        // One chunk at a time, at intervals that grow to ten seconds; far more often than would end an association.
        #expect(Set(probes) == [last + 1])
        #expect((85...110).contains(probes.count), "\(probes.count)")
        #expect(victim.state == .established)
        victim.feed(victim.packet(HostileTests.sack(last + 1)))
        var acknowledged = last + 1
        for _ in 0..<100 {
            try victim.world.run(.milliseconds(20))
            guard let newest = Self.tsns(victim.world.stepper.b.datagrams).max(), newest > acknowledged else {
                continue
            }
            acknowledged = newest
            victim.feed(victim.packet(HostileTests.sack(acknowledged)))
        }
        #expect(acknowledged == 5029 && victim.world.stepper.b.association.isIdle)
    }

    @Test("an end that says nothing at all is given up")
    func silence() throws {
        var victim = try Self.sending(30)
        try victim.world.run(.seconds(900))
        #expect(victim.state == .ended && victim.world.stepper.b.events.last == .ended(.unreachable))
        // Association.Max.Retrans (section 16) retransmissions after the first transmission.
        #expect(Self.tsns(victim.world.stepper.b.datagrams).count { $0 == 5000 } == 1 + 10)
    }

    @Test("three reports of a hole bring what is missing at once, and two do not")
    func fastRetransmission() throws {
        var victim = try Self.sending(4)
        let before = victim.world.stepper.b.datagrams.count
        #expect(Self.tsns(victim.world.stepper.b.datagrams) == [5000, 5001, 5002, 5003])
        for newest in 2...4 as ClosedRange<UInt16> {
            let answers = victim.answers(to: victim.packet(HostileTests.sack(4999, gaps: [(2, newest)])))
            #expect(Self.tsns(answers) == (newest == 4 ? [5000] : []), "after \(newest - 1)")
        }
        #expect(victim.world.stepper.b.datagrams.count > before)
    }

    // MARK: RFC 9653

    @Test("checksums are left out only where both ends let them be", arguments: [true, false], [true, false])
    func checksums(a: Bool, b: Bool) throws {
        var configurations = (SCTPConfiguration(), SCTPConfiguration())
        configurations.0.acceptsZeroChecksum = a
        configurations.1.acceptsZeroChecksum = b
        var world = try AssociationWorld(a: configurations.0, b: configurations.1)
        world.stepper.a.keepsDatagrams = true
        world.stepper.b.keepsDatagrams = true
        world.connect()
        world.stepper.a.outbox = [.init(stream: 1, payload: [1, 2, 3])]
        world.stepper.b.outbox = [.init(stream: 1, payload: [4, 5, 6])]
        try world.run(.seconds(2))
        #expect(world.stepper.b.received.map(\.payload) == [[1, 2, 3]])
        #expect(world.stepper.a.received.map(\.payload) == [[4, 5, 6]])
        #expect(world.stepper.a.association.drops.total == 0 && world.stepper.b.association.drops.total == 0)
        let packets = world.stepper.a.datagrams + world.stepper.b.datagrams
        for packet in packets {
            let checksum = SCTPHeader.parse(packet.span.bytes)?.checksum
            let expected = CRC32C.packetChecksum(packet.span.bytes)
            // INIT, INIT ACK and COOKIE ECHO.
            let opens = [1, 2, 10].contains(packet[12])
            if a, b, !opens {
                #expect(checksum == 0)
            } else {
                #expect(checksum == expected)
            }
        }
    }

    @Test(
        "a packet without a checksum is taken where that was said, and one with a wrong one never",
        arguments: [true, false])
    func missingChecksum(isAccepted: Bool) throws {
        var configuration = SCTPConfiguration()
        configuration.acceptsZeroChecksum = isAccepted
        var victim = try HostileTests.Victim(configuration)
        var packet = victim.packet(HostileTests.data(victim.nextTSN, [1]))
        packet.set(bigEndian: UInt32(0), at: 8)
        victim.feed(packet)
        #expect(victim.received == (isAccepted ? [[1]] : []))
        packet.set(bigEndian: UInt32(0x1234_5678), at: 8)
        victim.feed(packet)
        #expect(victim.drops[.badChecksum] == (isAccepted ? 1 : 2))
        // An INIT always has a checksum.
        var opening: [UInt8] = []
        InitiationChunk(tag: 7, window: 1 << 20, outboundStreams: 10, inboundStreams: 10, initialTSN: 1)
            .write(as: .initiation, into: &opening)
        var forged = victim.packet(tag: 0, opening)
        forged.set(bigEndian: UInt32(0), at: 8)
        victim.feed(forged)
        #expect(victim.drops[.badChecksum] == (isAccepted ? 2 : 3))
    }

    // MARK: RFC 6525

    @Test("what is asked for and not done here is denied, each time it is asked")
    func denied() throws {
        var victim = try HostileTests.Victim()
        // Request sequence numbers start at the first TSN.
        let requests: [ReconfigurationParameter] = [
            .incomingReset(request: victim.nextTSN, streams: [1]), .other(request: victim.nextTSN &+ 1),
        ]
        for (index, request) in requests.enumerated() {
            for _ in 0..<2 {
                let answers = victim.answers(to: victim.packet(request.chunk()))
                let expected = ReconfigurationParameter.response(to: victim.nextTSN &+ UInt32(index), .denied).chunk()
                #expect(
                    answers.flatMap { Self.chunks(of: $0, .reconfiguration) }.map(\.value) == [Array(expected[4...])])
            }
        }
        #expect(victim.state == .established && victim.world.stepper.b.events == [.connected])
        victim.feed(victim.packet(HostileTests.data(victim.nextTSN, [1])))
        #expect(victim.received == [[1]])
    }

    @Test("a reset of ours that is denied is told, and the stream is not used again")
    func ourResetIsDenied() throws {
        var victim = try HostileTests.Victim()
        victim.world.stepper.network.bToA.conditions.loss = .random(1)
        victim.world.stepper.b.keepsDatagrams = true
        victim.world.stepper.b.association.reset(1, now: victim.world.now)
        try victim.world.run(.milliseconds(10))
        let sent = victim.world.stepper.b.datagrams.flatMap { Self.chunks(of: $0, .reconfiguration) }
        let request = try #require(sent.last?.value)
        let read = request.span.bytes.uint32(at: 4)
        let number = try #require(read)
        // In progress: the request is repeated later.
        victim.feed(victim.packet(ReconfigurationParameter.response(to: number, .inProgress).chunk()))
        let before = victim.world.stepper.b.datagrams.count
        try victim.world.run(.seconds(3))
        #expect(victim.world.stepper.b.datagrams.count > before)
        victim.feed(victim.packet(ReconfigurationParameter.response(to: number, .denied).chunk()))
        #expect(victim.world.stepper.b.events.last == .outgoingReset([1], isPerformed: false))
        #expect(throws: SCTPSendError.streamClosed) {
            try victim.world.stepper.b.association.send([1], stream: 1, protocolID: 53, now: victim.world.now)
        }
        let after = victim.world.stepper.b.datagrams.count
        try victim.world.run(.seconds(20))
        let later = victim.world.stepper.b.datagrams[after...].flatMap { Self.chunks(of: $0, .reconfiguration) }
        #expect(later.isEmpty)
    }

    // MARK: RFC 8831

    @Test(
        "messages in parts by the old identifiers, and those of nobody, are dropped by their name",
        arguments: [0, 49, 52, 54, 58])
    func unknownIdentifiers(number: UInt32) throws {
        var stepper = TwoPeerStepper(
            a: try AssociationPeer(seed: 1), b: try ChannelPeer(.server, DataChannelConfiguration(), seed: 2),
            network: SimulatedNetwork(LinkConditions(delay: .milliseconds(5)), seed: 3))
        stepper.a.association.connect(now: .zero)
        let opening = ChannelProtocolMessage.open(DataChannelDescription(label: "old")).serialised()
        try stepper.a.association.send(opening, stream: 0, protocolID: 50, now: .zero)
        try stepper.a.association.send([1], stream: 0, protocolID: number, now: .zero)
        try stepper.a.association.send([2], stream: 0, protocolID: 53, now: .zero)
        try stepper.run(for: .seconds(2))
        #expect(stepper.b.opened == [DataChannelID(0)])
        let messages = stepper.b.messages(on: DataChannelID(0))
        #expect(messages == [.binary([2])])
        #expect(stepper.b.channels.drops[.unknownProtocol] == 1)
    }
}
