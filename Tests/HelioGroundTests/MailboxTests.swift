import HelioCore
import HelioGround
import HelioTestLanes
import Synchronization
import Testing

@Suite("The mailboxes", .tags(.quiet))
struct MailboxTests {
    @Test("of a loop tells when its reader is to be woken, and refuses what it has no room for")
    func bounded() {
        let mailbox = Mailbox<Int>(capacity: 2)
        #expect(mailbox.put(1) == .first)
        #expect(mailbox.put(2) == .queued)
        #expect(mailbox.put(3) == .full)
        #expect(mailbox.takeAll() == [1, 2])
        #expect(mailbox.takeAll() == [])
        #expect(mailbox.put(4) == .first)
    }

    private struct Orders: Sendable, Equatable {
        var stop = false
        var size: Int?
    }

    @Test("of orders keeps the newest of each kind, and rings for each")
    func newest() {
        let rings = Atomic(0)
        let mailbox = NewestMailbox(Orders(), bell: { rings.add(1, ordering: .relaxed) })
        mailbox.give { $0.size = 1 }
        mailbox.give { $0.size = 2 }
        mailbox.give { $0.stop = true }
        mailbox.update { $0.stop = false }
        #expect(mailbox.take() == Orders(stop: false, size: 2))
        #expect(mailbox.take() == Orders())
        #expect(rings.load(ordering: .relaxed) == 3)
    }

    @Test("of orders ends a wait once there is one, and only then")
    func orders() async {
        let mailbox = NewestMailbox(Orders())
        let before = MonotonicClock.now
        mailbox.wait(until: before + .milliseconds(20))
        #expect(MonotonicClock.now >= before + .milliseconds(20))
        let thread = WorkerThread(name: "orders", isUrgent: false) { mailbox.give { $0.size = 5 } }
        mailbox.wait(until: nil)
        #expect(mailbox.take().size == 5)
        await thread.join()
    }

    @Test("of a thread gives each element once, in order, whichever thread is faster")
    func waiting() async {
        let mailbox = ThreadMailbox<[Int]>([])
        let thread = WorkerThread(name: "puts", isUrgent: false) {
            for number in 0..<10_000 { mailbox.put { $0.append(number) } }
        }
        var next = 0
        while next < 10_000 {
            let taken = mailbox.take { waiting -> [Int]? in
                if waiting.isEmpty { return nil }
                defer { waiting = [] }
                return waiting
            }
            #expect(taken == Array(next..<next + taken.count))
            next += taken.count
        }
        await thread.join()
        #expect(mailbox.take(until: .zero) { $0.first } == nil)
    }

    @Test("of a thread ends a wait at its instant, and not before")
    func limit() {
        let mailbox = ThreadMailbox(0)
        let end = MonotonicClock.now + .milliseconds(20)
        #expect(mailbox.take(until: end) { $0 > 0 ? $0 : nil } == nil)
        #expect(MonotonicClock.now >= end)
        // An available value is returned even though the instant has passed.
        mailbox.put { $0 = 3 }
        #expect(mailbox.take(until: .zero) { $0 > 0 ? $0 : nil } == 3)
    }
}
