import HelioCongestion
import HelioCore
import Testing

@Suite struct SendHistoryTests {
    private func packet(_ sequence: UInt64) -> [UInt8] { [UInt8(sequence & 0xFF), UInt8(sequence >> 8 & 0xFF)] }

    @Test(arguments: [0x1_0000, 0x1_FFF0, 0x1_FFFF, 0x2_7FFF, 0x2_8000] as [UInt64])
    func givesPacketsAgainAcrossTheWrap(start: UInt64) {
        var history = SendHistory()
        for sequence in start..<start + 100 {
            history.insert(packet(sequence), sequence: ExtendedSequence(sequence), now: .zero)
        }
        for sequence in start..<start + 100 {
            let found = history.resend(ExtendedSequence(sequence).wire, now: .zero + .milliseconds(20))
            #expect(found?.sequence.rawValue == sequence)
            #expect(found?.packet == packet(sequence))
        }
        #expect(history.resent == 100)
    }

    @Test func whatWasNeverSentIsUnknown() {
        var history = SendHistory()
        #expect(history.resend(5, now: .zero) == nil)
        history.insert([1], sequence: ExtendedSequence(0x1_0005), now: .zero)
        #expect(history.resend(6, now: .zero) == nil)
        #expect(history.resend(4, now: .zero) == nil)
        #expect(history.drops[.unknown] == 3)
    }

    @Test func copiesAreSpacedAndCounted() {
        var configuration = SendHistory.Configuration()
        configuration.resends = 2
        var history = SendHistory(configuration: configuration)
        history.resendSpacing = .milliseconds(30)
        history.insert([1], sequence: ExtendedSequence(0x1_0005), now: .zero)
        #expect(history.resend(5, now: .zero + .milliseconds(1)) != nil)
        #expect(history.resend(5, now: .zero + .milliseconds(30)) == nil)
        #expect(history.resend(5, now: .zero + .milliseconds(31)) != nil)
        #expect(history.resend(5, now: .zero + .milliseconds(90)) == nil)
        #expect(history.drops[.tooSoon] == 1)
        #expect(history.drops[.tooOften] == 1)
    }

    @Test func theOldAreNotSent() {
        var history = SendHistory()
        history.insert([1], sequence: ExtendedSequence(0x1_0005), now: .zero)
        #expect(history.resend(5, now: .zero + .milliseconds(1001)) == nil)
        #expect(history.drops[.tooOld] == 1)
    }

    @Test func staysWithinPacketsBytesAndAge() {
        var configuration = SendHistory.Configuration()
        configuration.packets = 100  // 128
        configuration.bytes = 50_000
        var history = SendHistory(configuration: configuration)
        var now = Instant.zero
        for sequence in 0x1_0000..<0x5_0000 as Range<UInt64> {
            history.insert([UInt8](repeating: 0, count: 1000), sequence: ExtendedSequence(sequence), now: now)
            now = now + .microseconds(100)
            guard history.heldBytes <= 50_000 else {
                Issue.record("\(history.heldBytes) bytes held")
                return
            }
        }
        #expect(history.heldBytes == 50_000)
        // After a rest the next packet finds all others too old.
        history.insert([1], sequence: ExtendedSequence(0x5_0000), now: now + .seconds(2))
        #expect(history.heldBytes == 1)
        // A jump ahead forgets them as well.
        history.insert([1, 2], sequence: ExtendedSequence(0x5_4000), now: now + .seconds(2))
        #expect(history.heldBytes == 2)
    }

    @Test func smallPacketsAreBoundedByNumber() {
        var configuration = SendHistory.Configuration()
        configuration.packets = 128
        var history = SendHistory(configuration: configuration)
        for sequence in 0x1_0000..<0x1_0200 as Range<UInt64> {
            history.insert([0], sequence: ExtendedSequence(sequence), now: .zero)
        }
        #expect(history.heldBytes == 128)
        #expect(history.resend(0x0180, now: .zero) != nil)
        #expect(history.resend(0x017F, now: .zero) == nil)
    }
}
