import CMallocCount
import HelioBudgets
import HelioCore
import HelioOpenSSL
import HelioPeer
import HelioSCTP

/// Measures whole peer connections: handshakes, messages and memory. Both ends run on one core.
struct PeerBench {
    private let table: Table
    private let rounds: Int
    private let certificates: [OpenSSLDTLS]

    init(rounds: Int, _ table: Table) throws {
        self.table = table
        self.rounds = rounds
        certificates = try (0..<2).map { _ in try OpenSSLDTLS(DTLSIdentity()) }
    }

    /// Runs the benchmarks; returns whether data channels meet their budget.
    func run() throws -> Bool {
        for isByUDP in [false, true] { try handshakes(max(11, rounds / 2), isByUDP: isByUDP) }
        var isKept = true
        for size in [1024, 16 * 1024, 256 * 1024] {
            isKept = try throughput(size, total: 64 << 20, leastMegabits: size == 256 * 1024 ? 500 : nil) && isKept
        }
        _ = try throughput(1024, total: 32 << 20, hasChecksums: true)
        for size in [32, 1024] { try messages(size, count: 200_000) }
        for size in [1024, 16 * 1024, 256 * 1024] { _ = try throughput(size, total: 64 << 20, isByUDP: true) }
        for size in [32, 1024] { try messages(size, count: 200_000, isByUDP: true) }
        try memory(pairs: 1000)
        return isKept
    }

    // MARK: Handshakes

    private func handshakes(_ count: Int, isByUDP: Bool) throws {
        var times: [(elapsed: Double, busy: Double)] = []
        for _ in 0..<count {
            let pair = try PeerPair(certificates, isByUDP: isByUDP)
            let start = pair.now
            try pair.connect()
            times.append(((pair.now - start).milliseconds, (pair.a.busy + pair.b.busy).milliseconds))
        }
        table.figure(
            "handshake, offer to open channel\(isByUDP ? ", UDP" : "")",
            [
                ("ms", Table.median(times.map(\.elapsed))),
                ("ms of a core, both ends", Table.median(times.map(\.busy))),
            ])
    }

    // MARK: Throughput

    /// Sends a stream of messages in one direction, with the channel's buffer kept full.
    private func stream(_ pair: PeerPair, _ message: DataChannelMessage, count: Int) throws -> Transfer {
        for end in [pair.a, pair.b] { end.busy = .zero }
        let (datagrams, arrived) = (pair.a.datagrams, pair.b.messages)
        let (allocations, before) = (helio_malloc_count(), CPUTime.now)
        var left = count
        while pair.b.messages - arrived < count {
            if left > 0, pair.a.hasRoom {
                let start = CPUTime.now
                left -= pair.a.fill(message, most: left, now: pair.now)
                pair.a.busy += CPUTime.now - start
            }
            if try !pair.step() { precondition(pair.wait(), "messages got lost") }
        }
        return Transfer(
            messages: count, bytes: count * message.bytes.count, datagrams: pair.a.datagrams - datagrams,
            busy: CPUTime.now - before, sender: pair.a.busy, receiver: pair.b.busy,
            allocations: helio_malloc_count() - allocations)
    }

    private func pair(
        isByUDP: Bool = false, _ configure: (inout PeerConnectionConfiguration) -> Void = { _ in }
    ) throws -> PeerPair {
        let pair = try PeerPair(certificates, isByUDP: isByUDP, configure: configure)
        try pair.connect()
        return pair
    }

    /// The median of five runs after a warm-up run.
    private func measure(
        _ message: DataChannelMessage, count: Int, hasChecksums: Bool = false, isByUDP: Bool = false
    ) throws -> Transfer {
        let pair = try pair(isByUDP: isByUDP) { $0.dataChannels.association.acceptsZeroChecksum = !hasChecksums }
        if let channel = pair.a.channel {
            pair.a.connection.setBufferedAmountLowThreshold(1 << 19, of: channel)
        }
        _ = try stream(pair, message, count: max(1, count / 4))
        var transfers: [Transfer] = []
        for _ in 0..<5 { transfers.append(try stream(pair, message, count: count)) }
        return transfers.sorted { $0.busy < $1.busy }[transfers.count / 2]
    }

    private func throughput(
        _ size: Int, total: Int, hasChecksums: Bool = false, isByUDP: Bool = false, leastMegabits: Double? = nil
    ) throws -> Bool {
        let message = DataChannelMessage.binary([UInt8](repeating: 0x5A, count: size))
        let transfer = try measure(message, count: total / size, hasChecksums: hasChecksums, isByUDP: isByUDP)
        let isKept = leastMegabits.map { transfer.megabits(over: transfer.busy) >= $0 } ?? true
        table.figure(
            "data channel, \(size / 1024) KiB\(hasChecksums ? ", checksums" : "")\(isByUDP ? ", UDP" : "")",
            [
                ("Mbit/s", transfer.megabits(over: transfer.busy)),
                ("Mbit/s sending end", transfer.megabits(over: transfer.sender)),
                ("Mbit/s receiving end", transfer.megabits(over: transfer.receiver)),
                ("allocations/packet", Double(transfer.allocations) / Double(transfer.datagrams)),
            ], isKept: isKept)
        return isKept
    }

    private func messages(_ size: Int, count: Int, isByUDP: Bool = false) throws {
        let message = DataChannelMessage.binary([UInt8](repeating: 0x5A, count: size))
        let transfer = try measure(message, count: count, isByUDP: isByUDP)
        table.figure(
            "data channel, \(size) bytes\(isByUDP ? ", UDP" : "")",
            [
                ("k messages/s", Double(transfer.messages) / transfer.busy.inSeconds / 1000),
                ("allocations/message", Double(transfer.allocations) / Double(transfer.messages)),
            ])
    }

    // MARK: Memory

    /// Memory of connected peers with video and a channel, after a message in each direction; halved, as a pair has two
    /// peers.
    private func memory(pairs count: Int) throws {
        _ = try pair()
        let before = Memory.now()
        var pairs: [PeerPair] = []
        pairs.reserveCapacity(count)
        for _ in 0..<count {
            let pair = try PeerPair(certificates, hasMedia: true)
            try pair.connect()
            for (from, to) in [(pair.a, pair.b), (pair.b, pair.a)] {
                let arrived = to.messages
                _ = from.fill(.text(Array("hello".utf8)), most: 1, now: pair.now)
                while to.messages == arrived { if try !pair.step() { precondition(pair.wait()) } }
            }
            pairs.append(pair)
        }
        let held = Memory.now() - before
        withExtendedLifetime(pairs) {}
        table.figure(
            "memory a connected peer",
            [
                ("KiB allocated", Double(held.allocated) / Double(2 * count) / 1024),
                ("KiB resident", Double(held.resident) / Double(2 * count) / 1024),
            ])
    }
}
