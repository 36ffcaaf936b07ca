import HelioCore
import HelioLoop
import Testing

@Suite("Events that nobody reads")
struct EventQueueTests {
    /// A numbered event with its standing in the queue.
    private struct Item: QueuedEvent, Equatable {
        var number: Int
        var standing: EventStanding
    }

    private static let capacity = 8

    private var queue = EventQueue<Item>(capacity: EventQueueTests.capacity)

    private mutating func put(_ standings: EventStanding...) {
        for (number, standing) in standings.enumerated() { queue.put(Item(number: number, standing: standing)) }
    }

    private mutating func fill(_ count: Int = 1000, _ standing: (Int) -> EventStanding) {
        for number in 0..<count { queue.put(Item(number: number, standing: standing(number))) }
    }

    @Test("as long as few wait, all come in order")
    mutating func inOrder() {
        put(.newest("a"), .newest("a"), .repeated("b"), .repeated("b"), .begun("c"), .over("c"), .kept)
        #expect(queue.takeAll().map(\.number) == Array(0..<7))
        #expect(queue.drops.total == 0)
    }

    @Test("the newest stands for those that say how things are, and what is kept stays in its place")
    mutating func newest() {
        put(.kept)
        fill(10_000) { _ in .newest("place") }
        queue.put(Item(number: -1, standing: .kept))
        #expect(queue.count <= Self.capacity + 1)
        let waiting = queue.takeAll()
        #expect(waiting.first == Item(number: 0, standing: .kept))
        #expect(waiting.last == Item(number: -1, standing: .kept))
        #expect(waiting.dropLast().last?.number == 9999)
        #expect(queue.drops[.overtaken] == 10_002 - waiting.count)
    }

    @Test("of what began and is over nobody hears; what began stays, and so does the end of what was heard of")
    mutating func visits() {
        put(.over("heard"))
        fill { $0.isMultiple(of: 2) ? .begun("visit \($0)") : .over("visit \($0 - 1)") }
        put(.begun("stays"), .begun("again"), .over("again"), .begun("again"))
        fill(100) { _ in .newest("place") }
        let standings = queue.takeAll().map(\.standing).filter { $0 != .newest("place") }
        #expect(standings == [.over("heard"), .begun("stays"), .begun("again")])
        #expect(queue.drops[.unseen] == 1002)
    }

    @Test("of what is repeated the newest stays, of many that differ half the queue, and all others are counted")
    mutating func repeated() {
        fill { _ in .repeated("same") }
        #expect(queue.count <= Self.capacity)
        fill { .repeated("\($0)") }
        #expect(queue.count <= Self.capacity + 1)
        let waiting = queue.takeAll()
        #expect(waiting.last?.number == 999)
        #expect(queue.drops[.repeated] + queue.drops[.tooMany] == 2000 - waiting.count)
        #expect(queue.drops[.tooMany] > 900)
    }

    @Test("nothing is merged across what is fixed")
    mutating func fixed() {
        put(.newest("a"), .fixed, .newest("a"), .fixed, .newest("a"))
        fill(100) { _ in .repeated("b") }
        let standings = queue.takeAll().map(\.standing).filter { $0 != .repeated("b") }
        #expect(standings == [.newest("a"), .fixed, .newest("a"), .fixed, .newest("a")])
    }

    @Test("what must be heard of waits in any number, and merging it again and again takes no time of its own")
    mutating func kept() {
        fill(5000) { _ in .kept }
        #expect(queue.takeAll().map(\.number) == Array(0..<5000))
        #expect(queue.drops.total == 0)
    }

    @Test("what comes after the end is no event")
    mutating func finished() {
        queue.isFinished = true
        put(.kept)
        #expect(queue.count == 0)
    }
}
