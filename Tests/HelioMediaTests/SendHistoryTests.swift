import HelioCore
import HelioMedia
import Testing

@Suite struct SendHistoryTests {
    private func packet(_ size: Int = 1, sent: Instant = .zero) -> SentPacket {
        SentPacket(
            bytes: [], payload: 0..<size, timestamp: 0, marker: false, repair: .samePacket, sent: sent)
    }

    private func history(_ configuration: SendHistory.Configuration = .init()) -> SendHistory {
        SendHistory(first: ExtendedSequence(0), configuration: configuration)
    }

    @Test(arguments: [0x1_0000, 0x1_FFF0, 0x1_FFFF, 0x2_7FFF, 0x2_8000] as [UInt64])
    func givesPacketsAgainAcrossTheWrap(start: UInt64) {
        var history = history()
        for sequence in start..<start + 100 {
            history.insert(packet(Int(sequence & 0xFF) + 1), sequence: ExtendedSequence(sequence))
        }
        for sequence in start..<start + 100 {
            let found = history.request(ExtendedSequence(sequence).wire, now: .zero + .milliseconds(20)).resent
            #expect(found?.sequence.rawValue == sequence)
            #expect(found?.size == Int(sequence & 0xFF) + 1)
            #expect(history[ExtendedSequence(sequence)]?.payload.count == found?.size)
        }
    }

    @Test func whatWasNeverSentIsUnknown() {
        var history = history()
        #expect(history.request(5, now: .zero).resent == nil)
        history.insert(packet(), sequence: ExtendedSequence(0x1_0005))
        #expect(history.request(6, now: .zero).resent == nil)
        #expect(history.request(4, now: .zero).resent == nil)
        #expect(history.drops[.unknown] == 3)
    }

    @Test func copiesAreSpacedAndCounted() {
        var configuration = SendHistory.Configuration()
        configuration.resends = 2
        var history = history(configuration)
        history.resendSpacing = .milliseconds(30)
        history.insert(packet(), sequence: ExtendedSequence(0x1_0005))
        #expect(history.request(5, now: .zero + .milliseconds(1)).resent != nil)
        #expect(history.request(5, now: .zero + .milliseconds(30)).resent == nil)
        #expect(history.request(5, now: .zero + .milliseconds(31)).resent != nil)
        #expect(history.request(5, now: .zero + .milliseconds(90)).resent == nil)
        #expect(history.drops[.tooSoon] == 1)
        #expect(history.drops[.tooOften] == 1)
    }

    @Test func theOldAreNotSent() {
        var history = history()
        history.insert(packet(), sequence: ExtendedSequence(0x1_0005))
        #expect(history.request(5, now: .zero + .milliseconds(1001)).resent == nil)
        #expect(history.drops[.tooOld] == 1)
    }

    @Test("the ninth request for a packet tells that its peer is about to give up, answered or not, and only that one")
    func askedInVain() {
        var history = history()
        history.insert(
            SentPacket(bytes: [], payload: 0..<1, timestamp: 90, marker: false, repair: .samePacket, sent: .zero),
            sequence: ExtendedSequence(0x1_0005))
        // Every second request follows too soon after the one before.
        let answers = (0..<20).map { history.request(5, now: .zero + .milliseconds(6 * $0)) }
        for (index, answer) in answers.enumerated() {
            let abandoned: UInt32? = index == 8 ? 90 : nil
            let isResent = answer.resent != nil
            #expect(answer.abandoned == abandoned)
            #expect(isResent == (index % 2 == 0))
        }
    }

    @Test("a copy that is told of as missing is followed by another, unless a newer one has left or is about to")
    func missingCopies() {
        var history = history()
        let sequence = ExtendedSequence(0x1_0005)
        func copy(_ number: UInt64) -> PacketCopy { PacketCopy(ssrc: SSRC(1), sequence: sequence, number: number) }
        history.insert(packet(100), sequence: sequence)
        // No sequence number is assigned to the copy yet.
        #expect(history.report(missing: copy(7), now: .zero) == nil)
        history.departed(sequence, copy: 7)
        #expect(history.report(missing: copy(6), now: .zero) == nil)
        #expect(history.report(missing: copy(7), now: .zero + .milliseconds(50)) == 100)
        // The copy waits in the pacer.
        #expect(history.report(missing: copy(7), now: .zero + .milliseconds(60)) == nil)
        history.departed(sequence, copy: 9)
        #expect(history.report(missing: copy(7), now: .zero + .milliseconds(70)) == nil)
        #expect(history.report(missing: copy(9), now: .zero + .milliseconds(110)) == 100)
        history.departed(sequence, copy: 12)
        // A request right afterwards is answered by the retransmission in transit.
        history.resendSpacing = .milliseconds(40)
        #expect(history.request(5, now: .zero + .milliseconds(120)).resent == nil)
        #expect(history.report(missing: copy(12), now: .zero + .milliseconds(1001)) == nil)
        // The limit of retransmissions by requests applies as well.
        var number: UInt64 = 12
        for step in 0..<20 where history.report(missing: copy(number), now: .zero + .milliseconds(200 + step)) != nil {
            number += 1
            history.departed(sequence, copy: number)
        }
        #expect(number == 12 + 8)
    }

    @Test func staysWithinPacketsBytesAndAge() {
        var configuration = SendHistory.Configuration()
        configuration.packets = 100
        configuration.bytes = 50_000
        var history = history(configuration)
        var now = Instant.zero
        for sequence in 0x1_0000..<0x5_0000 as Range<UInt64> {
            history.insert(packet(1000, sent: now), sequence: ExtendedSequence(sequence))
            now = now + .microseconds(100)
            guard history.heldBytes <= 50_000 else {
                Issue.record("\(history.heldBytes) bytes held")
                return
            }
        }
        #expect(history.heldBytes == 50_000)
        // After a pause, the next packet makes all others too old.
        history.insert(packet(sent: now + .seconds(2)), sequence: ExtendedSequence(0x5_0000))
        #expect(history.heldBytes == 1)
        // A jump ahead in sequence numbers discards them as well.
        history.insert(packet(2, sent: now + .seconds(2)), sequence: ExtendedSequence(0x5_4000))
        #expect(history.heldBytes == 2)
    }

    @Test func smallPacketsAreBoundedByNumber() {
        var configuration = SendHistory.Configuration()
        configuration.packets = 128
        var history = history(configuration)
        for sequence in 0x1_0000..<0x1_0200 as Range<UInt64> {
            history.insert(packet(), sequence: ExtendedSequence(sequence))
        }
        #expect(history.heldBytes == 128)
        #expect(history.request(0x0180, now: .zero).resent != nil)
        #expect(history.request(0x017F, now: .zero).resent == nil)
    }
}

@Suite struct ProtectedPacketsTests {
    @Test("what is held is given as it was, and no more is held than the bounds allow")
    func bounds() {
        var configuration = SendHistory.Configuration()
        configuration.packets = 100
        configuration.bytes = 50_000
        var packets = ProtectedPackets(configuration: configuration)
        for number in 0..<200 as Range<UInt64> {
            packets.insert(
                [UInt8](repeating: UInt8(number & 0xFF), count: 1000), sequence: ExtendedSequence(0x1_0000 + number),
                now: .zero)
        }
        #expect(packets[ExtendedSequence(0x1_0000 + 199)]?.first == 199)
        #expect(packets[ExtendedSequence(0x1_0000 + 150)]?.first == 150)
        #expect(packets[ExtendedSequence(0x1_0000 + 149)] == nil)
        packets.insert([7], sequence: ExtendedSequence(0x1_0000 + 200), now: .zero + .seconds(2))
        #expect(packets[ExtendedSequence(0x1_0000 + 199)] == nil)
        packets.insert([8], sequence: ExtendedSequence(0x2_0000), now: .zero + .seconds(2))
        #expect(packets[ExtendedSequence(0x1_0000 + 200)] == nil)
        #expect(packets[ExtendedSequence(0x2_0000)] == [8])
    }
}
