import HelioCore

/// A channel on virtual time that loses, duplicates and (by its jitter) reorders datagrams.
struct LossyChannel {
    var loss: Double
    var duplication = 0.05
    var delay: Duration = .milliseconds(8)
    var jitter: Duration = .milliseconds(6)
    private var flying: [(at: Instant, bytes: [UInt8])] = []

    init(loss: Double) { self.loss = loss }

    mutating func send(_ bytes: [UInt8], at now: Instant, _ generator: inout SeededGenerator) {
        for _ in 0..<(generator.unit() < duplication ? 2 : 1) where generator.unit() >= loss {
            let late = Duration.nanoseconds(Int64(generator.unit() * Double(jitter.nanoseconds)))
            flying.append((now + delay + late, bytes))
        }
    }

    var next: Instant? { flying.map(\.at).min() }

    mutating func receive(at now: Instant) -> [UInt8]? {
        guard let index = flying.indices.min(by: { flying[$0].at < flying[$1].at }), flying[index].at <= now else {
            return nil
        }
        return flying.remove(at: index).bytes
    }
}
