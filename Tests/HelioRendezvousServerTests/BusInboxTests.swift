import Synchronization
import Testing

@testable import HelioRendezvousServer

@Suite("What waits between a bus and the event loop")
struct BusInboxTests {
    /// An inbox that counts how often it wakes the loop.
    private final class Counted: Sendable {
        let wakes = Mutex(0)
        var count: Int { wakes.withLock { $0 } }

        func inbox() -> BusInbox { BusInbox { [self] in wakes.withLock { $0 += 1 } } }
    }

    private static func put(_ message: [UInt8], in inbox: BusInbox) { message.withUnsafeBufferPointer(inbox.put) }

    @Test("many messages wake the loop once, until all are taken")
    func wakes() {
        let counted = Counted()
        let inbox = counted.inbox()
        for number in UInt8(1)...5 { Self.put([number], in: inbox) }
        #expect(counted.count == 1)
        let first = inbox.take(most: 3)
        #expect(first.messages == [[1], [2], [3]] && first.hasMore)
        Self.put([6], in: inbox)
        let rest = inbox.take(most: 3)
        #expect(rest.messages == [[4], [5], [6]] && !rest.hasMore)
        #expect(counted.count == 1)
        Self.put([], in: inbox)
        #expect(counted.count == 2 && inbox.take(most: 3).messages == [[]])
        #expect(inbox.received == 7)
    }

    @Test("what is too long and what is too much is dropped and counted, once each")
    func bounds() {
        let counted = Counted()
        let inbox = counted.inbox()
        Self.put([UInt8](repeating: 1, count: BusInbox.longest + 1), in: inbox)
        #expect(counted.count == 1, "the drop is told as well")
        let oversized = inbox.take(most: 10)
        #expect(oversized.messages.isEmpty && oversized.oversized == 1 && oversized.full == 0)
        for _ in 0..<BusInbox.limit + 3 { Self.put([], in: inbox) }
        inbox.lose()
        let full = inbox.take(most: 1)
        #expect(full.full == 4 && full.messages.count == 1 && full.hasMore)
        #expect(inbox.take(most: 0).full == 0)
        // The bytes are bounded as well.
        let long = [UInt8](repeating: 1, count: BusInbox.longest)
        let other = counted.inbox()
        let most = BusInbox.byteLimit / BusInbox.longest
        for _ in 0..<most + 2 { Self.put(long, in: other) }
        #expect(other.take(most: 1).full == 2)
    }
}
