import HelioBudgets
import HelioCore
import HelioOpenSSL
import HelioPeer
import HelioSCTP
import HelioSimulation

/// Congestion control on virtual time: a data channel over a path with a bottleneck, a round trip of 20 ms and loss.
struct PathBench {
    private static let rate = Bitrate.megabits(100)
    private static let roundTrip = Duration.milliseconds(20)
    private static let duration = Duration.seconds(20)

    private let table: Table
    private let certificates: [OpenSSLDTLS]

    init(_ table: Table) throws {
        self.table = table
        certificates = try (0..<2).map { _ in try OpenSSLDTLS(DTLSIdentity()) }
    }

    func run() throws {
        for loss in [0, 0.001, 0.01] { try goodput(loss) }
    }

    private func goodput(_ loss: Double) throws {
        let conditions = LinkConditions(
            loss: loss > 0 ? .random(loss) : .none, delay: Self.roundTrip / 2, rate: Self.rate, queueBytes: 256 * 1024)
        let pair = try PeerPair(certificates)
        try pair.connect()
        let message = DataChannelMessage.binary([UInt8](repeating: 0x5A, count: 16 * 1024))
        var links = (SimulatedLink(conditions, seed: 1), SimulatedLink(conditions, seed: 2))
        var now = pair.now
        let end = now + Self.duration
        let arrived = pair.b.bytes
        while now < end {
            if pair.a.hasRoom { _ = pair.a.fill(message, most: .max, now: now) }
            for bytes in pair.a.outbox { links.0.send(bytes, now: now) }
            for bytes in pair.b.outbox { links.1.send(bytes, now: now) }
            pair.a.outbox.removeAll(keepingCapacity: true)
            pair.b.outbox.removeAll(keepingCapacity: true)
            let next = [pair.a.connection.deadline, pair.b.connection.deadline, links.0.deadline, links.1.deadline]
                .reduce(nil as Deadline?) { .earliest($0, $1) }
            guard let next else { preconditionFailure("nothing to wait for") }
            now = max(now, next.at)
            while let bytes = links.0.deliver(now: now) { pair.give(bytes, to: pair.b, from: pair.a, now: now) }
            while let bytes = links.1.deliver(now: now) { pair.give(bytes, to: pair.a, from: pair.b, now: now) }
            for end in [pair.a, pair.b] {
                end.connection.tick(now: now)
                end.drain()
            }
        }
        let megabits = Double(pair.b.bytes - arrived) * 8 / Self.duration.inSeconds / 1e6
        // The channel's capacity, and the model's rate at this loss (Mathis et al., 1997).
        let payload = 1120.0
        let link = Double(Self.rate.bitsPerSecond) / 1e6 * payload / 1200
        let model = loss > 0 ? 1.22 * payload * 8 / Self.roundTrip.inSeconds / loss.squareRoot() / 1e6 : .infinity
        table.figure(
            "100 Mbit/s, 20 ms, \(Table.decimal(loss * 100, digits: 1)) % lost",
            [("Mbit/s", megabits), ("Mbit/s ideal", min(link, model))])
    }
}
