import HelioCore
import HelioSimulation
import Testing

@testable import HelioSCTP

@Suite("A hostile or broken other end")
struct HostileTests {
    /// An established association whose end `b` receives packets that the test makes in place of `a`.
    struct Victim: ~Copyable {
        var world: AssociationWorld
        let tag: UInt32
        let nextTSN: UInt32

        init(_ configuration: SCTPConfiguration = SCTPConfiguration(), firstTSN: UInt32 = 1000) throws {
            var world = try AssociationWorld(LinkConditions(), b: configuration, firstTSNs: (firstTSN, 5000))
            world.stepper.a.keepsDatagrams = true
            world.connect()
            try world.run(.seconds(1))
            let last = world.stepper.a.datagrams[world.stepper.a.datagrams.count - 1]
            tag = last.span.bytes.uint32(at: 4) ?? 0
            self.world = world
            nextTSN = firstTSN
        }

        func packet(tag: UInt32? = nil, _ chunks: [UInt8]...) -> [UInt8] {
            var packet: [UInt8] = [0x13, 0x88, 0x13, 0x88]
            packet.append(bigEndian: tag ?? self.tag)
            packet.append(bigEndian: UInt32(0))
            for chunk in chunks { packet += chunk }
            packet.setPacketChecksum()
            return packet
        }

        mutating func feed(_ packet: [UInt8]) {
            world.stepper.b.receive(packet, now: world.now)
            while world.stepper.b.pollDatagram(now: world.now) != nil {}
        }

        mutating func answers(to packet: [UInt8]) -> [[UInt8]] {
            world.stepper.b.receive(packet, now: world.now)
            var answers: [[UInt8]] = []
            while let answer = world.stepper.b.pollDatagram(now: world.now) { answers.append(answer) }
            return answers
        }

        var drops: DropCounter<SCTPDrop> { world.stepper.b.association.drops }
        var received: [[UInt8]] { world.stepper.b.received.map(\.payload) }
        var state: SCTPAssociation.State { world.stepper.b.association.state }
    }

    static func data(
        _ tsn: UInt32, _ payload: [UInt8], stream: UInt16 = 1, sequence: UInt16 = 0,
        flags: DataChunk.Flags = [.beginning, .end]
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.appendChunk(.data, flags: flags.rawValue) { bytes in
            bytes.append(bigEndian: tsn)
            bytes.append(bigEndian: stream)
            bytes.append(bigEndian: sequence)
            bytes.append(bigEndian: UInt32(53))
            bytes += payload
        }
        return bytes
    }

    static func heartbeat(_ content: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.appendChunk(.heartbeat) { $0.appendParameter(1) { $0 += content } }
        return bytes
    }

    static func sack(_ cumulative: UInt32, window: UInt32 = 1 << 20, gaps: [(UInt16, UInt16)] = []) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.appendChunk(.sack) { bytes in
            bytes.append(bigEndian: cumulative)
            bytes.append(bigEndian: window)
            bytes.append(bigEndian: UInt16(gaps.count))
            bytes.append(bigEndian: UInt16(0))
            for (start, end) in gaps {
                bytes.append(bigEndian: start)
                bytes.append(bigEndian: end)
            }
        }
        return bytes
    }

    @Test("no packet with any one bit flipped does anything, and none that is cut short")
    func flippedBits() throws {
        var configuration = SCTPConfiguration()
        configuration.acceptsZeroChecksum = false
        var victim = try Victim(configuration)
        let packet = victim.packet(Self.data(victim.nextTSN, Array(0..<40)), Self.sack(4999))
        for bit in 0..<packet.count * 8 {
            var flipped = packet
            flipped[bit / 8] ^= 1 << UInt8(bit % 8)
            victim.feed(flipped)
        }
        for count in 0..<packet.count { victim.feed(Array(packet[..<count])) }
        #expect(victim.received == [])
        #expect(victim.drops.total == packet.count * 9)
        victim.feed(packet)
        #expect(victim.received == [Array(0..<40)])
    }

    @Test("with a right checksum, flipped and cut packets end nothing but by empty data, and what is sent goes on")
    func forgedChecksums() throws {
        let configuration = SCTPConfiguration()
        var victim = try Victim(configuration)
        var initiation = InitiationChunk(
            tag: 7, window: 1 << 20, outboundStreams: 10, inboundStreams: 10, initialTSN: 1)
        initiation.supportsForwardTSN = true
        initiation.supportsReconfiguration = true
        var opening: [UInt8] = []
        initiation.write(as: .initiation, into: &opening)
        var forward: [UInt8] = []
        ForwardTSNChunk(cumulative: victim.nextTSN &+ 3, skips: [.init(stream: 1, sequence: 2)]).write(into: &forward)
        let reset = ReconfigurationParameter.outgoingReset(
            request: victim.nextTSN, response: 0, lastTSN: victim.nextTSN, streams: [1, 2]
        ).chunk()
        let packets = [
            victim.packet(tag: 0, opening), victim.packet(forward, Self.data(victim.nextTSN, [1])),
            victim.packet(reset), victim.packet(Self.sack(4999, gaps: [(2, 3)])),
        ]
        for packet in packets {
            for change in 0..<packet.count * 9 {
                var changed = packet
                if change < packet.count * 8 {
                    changed[change / 8] ^= 1 << UInt8(change % 8)
                } else {
                    changed.removeLast(packet.count - (change - packet.count * 8))
                }
                if changed.count >= 12 { changed.setPacketChecksum() }
                // A flipped bit can turn a SACK into a SHUTDOWN.
                if victim.state != .established { victim = try Victim(configuration) }
                victim.feed(changed)
                // A DATA chunk whose length leaves no data ends the association (RFC 9260 section 6.2).
                let isEmpty = changed.dropFirst(24).starts(with: [0, 3, 0, 16])
                #expect((victim.state == .ended) == isEmpty, "change \(change) of \(packet)")
                guard victim.state == .established else { continue }
                let number = UInt8(truncatingIfNeeded: change)
                let answers = victim.answers(to: victim.packet(Self.heartbeat([number, 1, 2, 3])))
                #expect(
                    answers.contains { $0.firstRange(of: [5, 0, 0, 12, 0, 1, 0, 8, number, 1, 2, 3]) != nil },
                    "change \(change) of \(packet): no answer in \(answers)")
            }
            // At most pieces of genuine data arrive, and no foreign message.
            #expect(victim.received.allSatisfy { $0.count <= packet.count })
            if victim.state != .established { victim = try Victim(configuration) }
            let before = victim.world.stepper.a.received.count
            try victim.world.stepper.b.association.send([7], stream: 0, protocolID: 53, now: victim.world.now)
            victim.world.stepper.network.bToA.conditions.loss = .none
            try victim.world.run(.seconds(3))
            #expect(victim.world.stepper.a.received.dropFirst(before).map(\.payload) == [[7]])
        }
    }

    @Test("of another tag, nothing is believed: neither data nor an abort")
    func forgedTags() throws {
        var victim = try Victim()
        var abort: [UInt8] = []
        abort.appendChunk(.abort) { _ in }
        var reflected: [UInt8] = []
        reflected.appendChunk(.abort, flags: 1) { _ in }
        var complete: [UInt8] = []
        complete.appendChunk(.shutdownComplete) { _ in }
        for bit in 0..<32 {
            let tag = victim.tag ^ 1 << UInt32(bit)
            for chunk in [abort, reflected, complete, Self.data(victim.nextTSN, [1]), Self.sack(4999)] {
                victim.feed(victim.packet(tag: tag, chunk))
            }
        }
        // A reflected packet has the other end's verification tag, which is wrong here.
        victim.feed(victim.packet(reflected))
        #expect(victim.drops[.wrongTag] == 161)
        #expect(victim.state == .established && victim.received == [])
        victim.feed(victim.packet(abort))
        #expect(victim.state == .ended)
    }

    @Test("an acknowledgement of what was not sent changes nothing")
    func falseAcknowledgements() throws {
        var victim = try Victim()
        // Nothing was sent, so only 4999 can be acknowledged.
        victim.feed(victim.packet(Self.sack(5000)))
        victim.feed(victim.packet(Self.sack(4999, gaps: [(2, 2)])))
        victim.feed(victim.packet(Self.sack(4999 &+ 0x7FFF_FFFF)))
        #expect(victim.drops[.falseAcknowledgement] == 3)
        // Gap blocks that are empty, reversed, or overlapping.
        for gaps: [(UInt16, UInt16)] in [[(3, 2)], [(0, 0)], [(2, 5), (5, 6)], [(2, 3), (2, 3)]] {
            victim.feed(victim.packet(Self.sack(4999, gaps: gaps)))
        }
        #expect(victim.drops[.badChunk] == 4)
        try victim.world.stepper.b.association.send([1], stream: 0, protocolID: 53, now: victim.world.now)
        victim.world.stepper.network.bToA.conditions.loss = .none
        try victim.world.run(.seconds(3))
        #expect(victim.world.stepper.a.received.map(\.payload) == [[1]])
    }

    @Test(
        "TSNs far apart, and TSNs with gaps everywhere, stay within the memory that was promised",
        arguments: [
            UInt32(1000), .max, .max - 8000,
        ])
    func gaps(firstTSN: UInt32) throws {
        var victim = try Victim(firstTSN: firstTSN)
        // Every second TSN, in fragments that never complete a message.
        let payload = [UInt8](repeating: 1, count: 1000)
        for index in UInt32(0)..<3000 {
            victim.feed(victim.packet(Self.data(firstTSN &+ 1 &+ index * 2, payload, flags: .beginning)))
        }
        #expect(victim.drops[.windowFull] > 1000)
        // The window is used up: a chunk counts its bytes and an overhead.
        let answers = victim.answers(to: victim.packet(Self.data(firstTSN &+ 9001, payload)))
        let sack = try #require(answers.last)
        #expect(Array(sack[20..<24]) == [0, 0, 0, 0])
        for distance: UInt32 in [16_385, 100_000, 0x7000_0000] {
            victim.feed(victim.packet(Self.data(firstTSN &+ distance, [1])))
        }
        #expect(victim.drops[.outsideWindow] == 3)
        #expect(victim.state == .established && victim.received == [])
    }

    @Test("sequence numbers that skip the first hold no more than the window")
    func skippedSequence() throws {
        var victim = try Victim()
        for index in UInt32(0)..<3000 {
            victim.feed(
                victim.packet(
                    Self.data(
                        victim.nextTSN &+ index, [UInt8](repeating: 1, count: 1000),
                        sequence: UInt16(truncatingIfNeeded: index + 1))))
        }
        #expect(victim.received == [])
        #expect(victim.drops[.windowFull] > 1500)
        #expect(victim.state == .established)
    }

    @Test("streams past those agreed on are skipped by nobody, and nothing is held for them")
    func skippedStreams() throws {
        var configuration = SCTPConfiguration()
        configuration.streams = 4
        var victim = try Victim(configuration)
        let skips = (0..<280 as Range<UInt16>).map { ForwardTSNChunk.Skip(stream: $0, sequence: 1) }
        for round in 1...3 as ClosedRange<UInt32> {
            var forward: [UInt8] = []
            ForwardTSNChunk(cumulative: victim.nextTSN &+ round, skips: skips).write(into: &forward)
            victim.feed(victim.packet(forward))
        }
        #expect(victim.drops[.unknownStream] == 3 * 276)
        #expect(victim.world.stepper.b.association.inbound?.streams.keys.sorted() == [0, 1, 2, 3])
        // The existing streams continue after the skipped messages.
        victim.feed(victim.packet(Self.data(victim.nextTSN &+ 4, [7], stream: 3, sequence: 2)))
        #expect(victim.received == [[7]])
    }

    @Test("pieces that fit no message are thrown away, whatever their order")
    func orphans() throws {
        let flags: [DataChunk.Flags] = [[], .beginning, .end, [.beginning, .end]]
        // All combinations of four fragments, in three arrival orders: only complete messages are delivered.
        for code in 0..<256 {
            for order in [[0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1]] {
                var victim = try Reassembler()
                let pieces = (0..<4).map { flags[code >> ($0 * 2) & 3] }
                for place in order { victim.feed(place, pieces[place]) }
                #expect(
                    victim.messages.sorted { $0.first! < $1.first! } == Reassembler.whole(pieces), "\(pieces) \(order)")
            }
        }
    }

    @Test("a cookie that was changed, or of another association, opens nothing")
    func forgedCookies() throws {
        var generator = SeededGenerator(seed: 1)
        var client = try AssociationPeer(seed: generator.next())
        var server = try AssociationPeer(seed: generator.next())
        client.association.connect(now: .zero)
        let opening = client.pollDatagram(now: .zero) ?? []
        server.receive(opening, now: .zero)
        client.receive(server.pollDatagram(now: .zero) ?? [], now: .zero)
        let echo = client.pollDatagram(now: .zero) ?? []
        #expect(echo[12] == 10)
        for bit in 16 * 8..<echo.count * 8 {
            var forged = echo
            forged[bit / 8] ^= 1 << UInt8(bit % 8)
            forged.setPacketChecksum()
            server.receive(forged, now: .zero)
            let answer = server.pollDatagram(now: .zero)
            #expect(answer == nil)
        }
        #expect(server.association.drops[.badCookie] == (echo.count - 16) * 8)
        #expect(server.association.state == .closed)
        server.receive(echo, now: .zero)
        #expect(server.association.state == .established)
    }

    @Test("a flood of openings gets bounded answers and leaves the association alone")
    func flood() throws {
        var victim = try Victim()
        var initiation = InitiationChunk(
            tag: 7, window: 1 << 20, outboundStreams: 10, inboundStreams: 10, initialTSN: 1)
        initiation.unrecognized = []
        var opening: [UInt8] = []
        initiation.write(as: .initiation, into: &opening)
        for _ in 0..<1000 {
            victim.world.stepper.b.association.handle(
                .datagram(victim.packet(tag: 0, opening)), now: victim.world.now)
        }
        var answers = 0
        while victim.world.stepper.b.pollDatagram(now: victim.world.now) != nil { answers += 1 }
        #expect(answers == 16)
        victim.feed(victim.packet(Self.data(victim.nextTSN, [1])))
        #expect(victim.received == [[1]])
    }

    @Test("a piece as far from the first that is held as there are places is outside the window")
    func fullCircle() throws {
        var victim = try Victim()
        let first = victim.nextTSN
        victim.feed(victim.packet(Self.data(first, [1], flags: [.beginning])))
        victim.feed(victim.packet(Self.data(first &+ 1, [2], flags: [])))
        victim.feed(victim.packet(Self.data(first &+ 16_384, [9], flags: [])))
        #expect(victim.drops[.outsideWindow] == 1)
        victim.feed(victim.packet(Self.data(first &+ 2, [3], flags: [.end])))
        #expect(victim.received == [[1, 2, 3]])
    }

    @Test("who asks over and over before anything was sent gets sixteen answers")
    func manyQuestions() throws {
        var victim = try Victim()
        let question = victim.packet(Self.heartbeat([1, 2, 3, 4]))
        for _ in 0..<1000 {
            victim.world.stepper.b.association.handle(.datagram(question), now: victim.world.now)
        }
        #expect(victim.drops[.tooManyAnswers] == 1000 - 16)
        victim.feed(victim.packet(Self.data(victim.nextTSN, [1])))
        #expect(victim.received == [[1]])
    }

    @Test(
        "unknown chunks are skipped, reported or end their packet, as their type says",
        arguments: [
            (UInt8(0x3F), false, false), (0x7F, false, true), (0xBF, true, false), (0xFF, true, true),
        ])
    func unknownChunks(type: UInt8, isSkipped: Bool, isReported: Bool) throws {
        var victim = try Victim()
        var unknown: [UInt8] = []
        unknown.appendChunk(ChunkType(type)) { $0 += [1, 2, 3, 4, 5] }
        let answers = victim.answers(to: victim.packet(unknown, Self.data(victim.nextTSN, [9])))
        #expect(victim.received == (isSkipped ? [[9]] : []))
        let hasError = answers.contains { answer in
            var reader = ChunkReader(SCTPHeader.size..<answer.count)
            while let item = reader.next(in: answer.span.bytes) { if item.type == .error { return true } }
            return false
        }
        #expect(hasError == isReported)
    }
}

/// An end that receives the fragments of four TSNs, unordered, on stream 1.
private struct Reassembler: ~Copyable {
    private var victim: HostileTests.Victim

    init() throws { victim = try HostileTests.Victim() }

    mutating func feed(_ place: Int, _ flags: DataChunk.Flags) {
        victim.feed(
            victim.packet(
                HostileTests.data(victim.nextTSN &+ UInt32(place), [UInt8(place)], flags: flags.union(.unordered))))
    }

    var messages: [[UInt8]] { victim.received }

    /// The complete messages in a run of fragments, by definition.
    static func whole(_ pieces: [DataChunk.Flags]) -> [[UInt8]] {
        var messages: [[UInt8]] = []
        var open: [UInt8]?
        for (place, flags) in pieces.enumerated() {
            if flags.contains(.beginning) { open = [] }
            open?.append(UInt8(place))
            if flags.contains(.end) {
                if let open { messages.append(open) }
                open = nil
            }
        }
        return messages
    }
}
