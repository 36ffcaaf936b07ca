import HelioBroadcast
import HelioCore
import HelioFuzzing
import Testing

struct BroadcastQueueTests {
    private static func unit(_ kind: BroadcastUnit.Kind, _ number: UInt8, size: Int = 1) -> BroadcastUnit {
        BroadcastUnit(kind: kind, bytes: [UInt8](repeating: number, count: size), time: .zero)
    }

    private static func taken(_ queue: inout BroadcastQueue, at now: Instant) -> [UInt8] {
        var numbers: [UInt8] = []
        while let unit = queue.takeFirst(now: now) { numbers.append(unit.bytes[0]) }
        return numbers
    }

    @Test func beginsWithAKeyframe() {
        var queue = BroadcastQueue()
        queue.put(Self.unit(.picture, 1), now: .zero)
        queue.put(Self.unit(.sound, 2), now: .zero)
        queue.put(Self.unit(.keyframe, 3), now: .zero)
        queue.put(Self.unit(.picture, 4), now: .zero)
        #expect(Self.taken(&queue, at: .zero) == [2, 3, 4])
        #expect(queue.drops.byName == ["broadcast-awaiting-keyframe": 1])
    }

    /// Pictures that are too old are dropped with the rest of their group of pictures; the next group is sent.
    @Test func dropsWholeGroups() {
        var queue = BroadcastQueue(age: .seconds(1))
        for index in 0..<20 as Range<UInt8> {
            let kind: BroadcastUnit.Kind = index % 10 == 0 ? .keyframe : .picture
            queue.put(Self.unit(kind, index), now: .zero + .milliseconds(100) * Int(index))
        }
        // When 11 was queued, 0 was too old, and 1 to 9 depend on it: 10 is now the oldest.
        #expect(queue.deadline?.at == Instant.zero + .seconds(2))
        #expect(Self.taken(&queue, at: .zero + .milliseconds(1950)) == Array(10..<20))
        #expect(queue.drops.byName == ["broadcast-stale-picture": 10])
        let mayWish = queue.takeWish()
        #expect(!mayWish)
    }

    /// When part of a group was sent and the rest is dropped, one keyframe is requested.
    @Test func wishesForAKeyframe() {
        var queue = BroadcastQueue(age: .seconds(1))
        queue.put(Self.unit(.keyframe, 0), now: .zero)
        #expect(Self.taken(&queue, at: .zero) == [0])
        queue.put(Self.unit(.picture, 1), now: .zero)
        queue.put(Self.unit(.sound, 2), now: .zero + .milliseconds(900))
        queue.put(Self.unit(.picture, 3), now: .zero + .milliseconds(900))
        #expect(Self.taken(&queue, at: .zero + .milliseconds(1001)) == [2])
        #expect(queue.drops.byName == ["broadcast-stale-picture": 2])
        let wishes = [queue.takeWish(), queue.takeWish()]
        #expect(wishes == [true, false])
        queue.put(Self.unit(.picture, 4), now: .zero + .milliseconds(1002))
        queue.put(Self.unit(.keyframe, 5), now: .zero + .milliseconds(1003))
        #expect(Self.taken(&queue, at: .zero + .milliseconds(1003)) == [5])
        #expect(queue.drops[.awaitingKeyframe] == 1)
    }

    @Test func bytesAreBounded() {
        var queue = BroadcastQueue(bytes: 100)
        queue.put(Self.unit(.keyframe, 0, size: 101), now: .zero)
        #expect(queue.drops.byName == ["broadcast-too-large": 1])
        queue.put(Self.unit(.keyframe, 1, size: 60), now: .zero)
        queue.put(Self.unit(.picture, 2, size: 30), now: .zero)
        queue.put(Self.unit(.keyframe, 3, size: 60), now: .zero)
        #expect(queue.byteCount == 60)
        #expect(Self.taken(&queue, at: .zero) == [3])
        #expect(queue.drops[.overfullPicture] == 2)
    }

    /// The number of small pictures is bounded as well.
    @Test func countIsBounded() {
        var queue = BroadcastQueue()
        for _ in 0..<20000 { queue.put(Self.unit(.sound, 0, size: 0), now: .zero) }
        #expect(queue.count == 16384)
        #expect(queue.drops.byName == ["broadcast-overfull-sound": 20000 - 16384])
    }

    @Test func clearing() {
        var queue = BroadcastQueue()
        queue.put(Self.unit(.keyframe, 1), now: .zero)
        queue.clear(.lostConnection)
        queue.put(Self.unit(.picture, 2), now: .zero)
        #expect(queue.isEmpty)
        #expect(queue.drops.byName == ["broadcast-lost-connection": 1, "broadcast-awaiting-keyframe": 1])
    }

    /// Random traffic: the bounds hold, and no picture is sent without its references.
    @Test(arguments: 0..<100 as Range<UInt64>)
    func seeds(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        BroadcastFuzz.run((0..<1000).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
    }
}
