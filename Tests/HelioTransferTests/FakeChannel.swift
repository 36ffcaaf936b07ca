import HelioCore

/// One direction of a reliable, ordered channel with a delay.
struct FakeChannel {
    /// The bytes that it buffers before it must send some.
    static let capacity = 64 * 1024

    /// Bytes per second; 0 stops the channel.
    var rate: Int
    var delay: Duration
    private var waiting: [(bytes: [UInt8], leaves: Instant)] = []
    private var flying: [(bytes: [UInt8], arrives: Instant)] = []
    private(set) var sentBytes = 0
    private(set) var sentMessages = 0
    private(set) var mostQueued = 0

    init(rate: Int, delay: Duration) {
        self.rate = rate
        self.delay = delay
    }

    var queuedBytes: Int { waiting.reduce(0) { $0 + $1.bytes.count } }
    var room: Int { Self.capacity - queuedBytes }

    mutating func send(_ bytes: [UInt8], now: Instant) {
        sentBytes += bytes.count
        sentMessages += 1
        let start = max(now, waiting.last?.leaves ?? now)
        waiting.append(
            (bytes, rate == 0 ? .far : start + .nanoseconds(Int64(bytes.count) * 1_000_000_000 / Int64(rate))))
        mostQueued = max(mostQueued, queuedBytes)
    }

    /// Drops everything buffered or in transit, and stops the channel.
    mutating func cut() {
        rate = 0
        flying = []
        for index in waiting.indices { waiting[index].leaves = .far }
    }

    mutating func deliver(now: Instant) -> [UInt8]? {
        while let first = waiting.first, first.leaves <= now {
            waiting.removeFirst()
            flying.append((first.bytes, first.leaves + delay))
        }
        guard let first = flying.first, first.arrives <= now else { return nil }
        return flying.removeFirst().bytes
    }

    var deadline: Instant? {
        let times = [waiting.first?.leaves, flying.first?.arrives].compactMap { $0 }.filter { $0 < .far }
        return times.min()
    }
}

extension Instant {
    static let far = Instant(nanoseconds: .max / 2)
}
