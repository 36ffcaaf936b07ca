import CMallocCount
import HelioBudgets
import HelioCore
import HelioWebRTC

/// Measures the public library from end to end as an app uses it, including tasks, event loops and sockets. Rates are
/// per CPU time of the whole process.
struct AppBench {
    private let table: Table
    private let rounds: Int
    private let pairs: Int

    init(rounds: Int, pairs: Int = 100, _ table: Table) {
        self.rounds = rounds
        self.pairs = pairs
        self.table = table
    }

    func run() async throws {
        let endpoints = (try await AppPair.endpoint(), try await AppPair.endpoint())
        try await handshakes(endpoints, count: max(11, rounds / 2))
        for size in [1024, 16 * 1024, 256 * 1024] { try await throughput(endpoints, size, total: 64 << 20) }
        for size in [32, 1024] { try await messages(endpoints, size, count: 100_000) }
        try await roundTrips(endpoints, count: 3000)
        try await pictures(endpoints, count: 300)
        try await memory()
        await endpoints.0.close()
        await endpoints.1.close()
    }

    private typealias Endpoints = (WebRTCEndpoint, WebRTCEndpoint)

    // MARK: Handshakes

    private func handshakes(_ endpoints: Endpoints, count: Int) async throws {
        let clock = ContinuousClock()
        var (elapsed, busy): ([Double], [Double]) = ([], [])
        for _ in 0..<count {
            let (start, before) = (clock.now, CPUTime.ofProcess)
            let pair = try await AppPair.connect(endpoints)
            elapsed.append(start.duration(to: clock.now).milliseconds)
            busy.append((CPUTime.ofProcess - before).milliseconds)
            await pair.close()
        }
        table.figure(
            "handshake, offer to open channel, apps",
            [("ms", Table.median(elapsed)), ("ms of a core", Table.median(busy))])
    }

    // MARK: Messages

    /// The median, by CPU time, of five runs after a warm-up run.
    private func measure(
        _ endpoints: Endpoints, _ size: Int, count: Int
    ) async throws -> (busy: Double, elapsed: Double, allocations: Double) {
        let pair = try await AppPair.connect(endpoints)
        let message = DataMessage.binary([UInt8](repeating: 0x5A, count: size))
        let clock = ContinuousClock()
        var found: [(busy: Double, elapsed: Double, allocations: Double)] = []
        for round in 0..<6 {
            let (start, before, allocations) = (clock.now, CPUTime.ofProcess, helio_malloc_count())
            async let bytes = AppPair.receive(count, at: pair.b)
            for _ in 0..<count { try await pair.channels.0.send(message) }
            let all = await bytes
            precondition(all == count * size, "messages got lost")
            guard round > 0 else { continue }
            found.append(
                (
                    (CPUTime.ofProcess - before).inSeconds, start.duration(to: clock.now).inSeconds,
                    Double(helio_malloc_count() - allocations)
                ))
        }
        await pair.close()
        return found.sorted { $0.busy < $1.busy }[found.count / 2]
    }

    private func throughput(_ endpoints: Endpoints, _ size: Int, total: Int) async throws {
        let cost = try await measure(endpoints, size, count: total / size)
        let megabits = Double(total) * 8 / 1e6
        table.figure(
            "data channel, \(size / 1024) KiB, apps",
            [("Mbit/s", megabits / cost.busy), ("Mbit/s elapsed", megabits / cost.elapsed)])
    }

    private func messages(_ endpoints: Endpoints, _ size: Int, count: Int) async throws {
        let cost = try await measure(endpoints, size, count: count)
        table.figure(
            "data channel, \(size) bytes, apps",
            [
                ("k messages/s", Double(count) / cost.busy / 1000),
                ("k messages/s elapsed", Double(count) / cost.elapsed / 1000),
                ("allocations/message", cost.allocations / Double(count)),
            ])
    }

    // MARK: Latency

    /// Measures the time for a message and the other app's reply to it.
    private func roundTrips(_ endpoints: Endpoints, count: Int) async throws {
        let pair = try await AppPair.connect(endpoints)
        let echo = Task {
            for await event in pair.b.events {
                if case .message(let channel, let message) = event { try await channel.send(message) }
            }
        }
        let clock = ContinuousClock()
        let message = DataMessage.binary([UInt8](repeating: 0x5A, count: 100))
        var times: [Double] = []
        for round in 0..<count {
            let start = clock.now
            try await pair.channels.0.send(message)
            _ = await AppPair.receive(1, at: pair.a)
            if round >= count / 10 { times.append(start.duration(to: clock.now).milliseconds * 1000) }
        }
        await pair.close()
        try? await echo.value
        table.latency("round trip of 100 bytes, apps", times)
    }

    /// Measures the time from passing a picture to the library until the other app has it.
    private func pictures(_ endpoints: Endpoints, count: Int) async throws {
        let pair = try await AppPair.connect(endpoints, hasVideo: true)
        guard let track = pair.track else { preconditionFailure("no track") }
        let clock = ContinuousClock()
        let start = clock.now
        let events = pair.b.events.makeAsyncIterator()
        var times: [Double] = []
        for number in 0..<count {
            let due = start + .microseconds(number * 16_667)
            try await clock.sleep(until: due)
            let sent = clock.now
            await track.send(Self.picture(number))
            while let event = await events.next() {
                guard case .video(let picture) = event else { continue }
                precondition(picture.annexB.count >= Self.pictureLength, "a picture came cut")
                break
            }
            if number >= count / 10 { times.append(sent.duration(to: clock.now).milliseconds * 1000) }
        }
        await pair.close()
        table.latency("a picture of 20 KB, apps", times)
    }

    private static let pictureLength = 20_000

    private static func picture(_ number: Int) -> EncodedFrame {
        let isKeyframe = number == 0
        let start: [UInt8] = [0, 0, 0, 1]
        var bytes: [UInt8] = []
        if isKeyframe {
            bytes += start + [0x67, 0x42, 0xC0, 0x1F, 0xDA, 0x01, 0x40, 0x16, 0xE8]
            bytes += start + [0x68, 0xCE, 0x3C, 0x80]
        }
        bytes += start + [isKeyframe ? 0x65 : 0x41, 0x88]
        bytes += [UInt8](repeating: 0x5A, count: pictureLength - bytes.count)
        return EncodedFrame(annexB: bytes, presentationTime: .microseconds(number * 16_667), isKeyframe: isKeyframe)
    }

    // MARK: Memory

    /// Memory of connected peers with video and a channel: peers of one endpoint, each connected to a peer with its own
    /// endpoint, as two peers at the same addresses can't be distinguished. Halved, as a pair has two peers.
    private func memory() async throws {
        let server = try await AppPair.endpoint()
        let first = try await AppPair.endpoint()
        _ = try await AppPair.connect((server, first), hasVideo: true)
        var held: [(WebRTCEndpoint, AppPair)] = []
        held.reserveCapacity(pairs)
        let before = Memory.now()
        for _ in 0..<pairs {
            let client = try await AppPair.endpoint()
            held.append((client, try await AppPair.connect((server, client), hasVideo: true)))
        }
        let memory = Memory.now() - before
        table.figure(
            "memory a connected peer, apps",
            [
                ("KiB allocated", Double(memory.allocated) / Double(2 * pairs) / 1024),
                ("KiB resident", Double(memory.resident) / Double(2 * pairs) / 1024),
            ])
        for (client, _) in held { await client.close() }
        await first.close()
        await server.close()
    }
}
