import HelioCore
import HelioSCTP
import Testing

@testable import HelioWebRTC

@Suite("Messages between app and event loop")
struct ChannelOutboxTests {
    private func open(longest: Int = 1000) -> ChannelOutbox {
        var outbox = ChannelOutbox()
        outbox.open(longest: longest)
        return outbox
    }

    private func isTaken(_ verdict: ChannelOutbox.Verdict) -> Bool {
        if case .taken = verdict { true } else { false }
    }

    @Test("takes what fits, in order, and tells the loop once")
    func order() {
        var outbox = open()
        guard case .taken(isFirst: true) = outbox.put(.binary([1])),
            case .taken(isFirst: false) = outbox.put(.binary([2]))
        else {
            Issue.record("the loop is told of the first one, and not again")
            return
        }
        #expect(outbox.bytes == 2 && outbox.next() == .binary([1]))
        outbox.removeNext()
        // The engine has no room for the second message: the loop will ask again by itself.
        #expect(outbox.next() == .binary([2]))
        guard case .taken(isFirst: false) = outbox.put(.binary([3])) else {
            Issue.record("who is told already")
            return
        }
        for number in [2, 3] as [UInt8] {
            #expect(outbox.next() == .binary([number]))
            outbox.removeNext()
        }
        #expect(outbox.next() == nil && outbox.bytes == 0)
        guard case .taken(isFirst: true) = outbox.put(.binary([4])) else {
            Issue.record("what comes after all was taken has to be told again")
            return
        }
    }

    @Test("refuses what is too much, too long, or not for now")
    func limits() {
        var closed = ChannelOutbox()
        guard case .notOpen = closed.put(.binary([1])) else {
            Issue.record("it is not open yet")
            return
        }
        var outbox = open(longest: 300_000)
        guard case .tooLong = outbox.put(.binary([UInt8](repeating: 0, count: 300_001))) else {
            Issue.record("longer than the peer takes")
            return
        }
        #expect(
            isTaken(outbox.put(.binary([UInt8](repeating: 0, count: 300_000)))),
            "one may be longer than all that may wait")
        guard case .full = outbox.put(.binary([])) else {
            Issue.record("no room behind it")
            return
        }
        outbox.removeNext()
        // A message that exceeds the limit is still accepted; callers waiting for room resume once half of it is gone.
        #expect(isTaken(outbox.put(.binary([UInt8](repeating: 0, count: 100_000)))))
        #expect(isTaken(outbox.put(.binary([UInt8](repeating: 0, count: 300_000)))))
        outbox.removeNext()
        outbox.removeNext()
        var count = 0
        while isTaken(outbox.put(.binary([]))) { count += 1 }
        #expect((1000...10_000).contains(count), "empty ones cost something, too")
        #expect(outbox.beginClosing().isEmpty)
        guard case .notOpen = outbox.put(.binary([1])) else {
            Issue.record("it is being closed")
            return
        }
        #expect(!outbox.isDone)
        for _ in 0..<count { outbox.removeNext() }
        #expect(outbox.isDone)
    }
}
