import HelioCore
import HelioTestLanes
import HelioTestPrograms
import HelioWebRTC
import Synchronization
import Testing

@Suite("Data channels from app to app", .timeLimit(.minutes(2)), .tags(.quiet))
struct DataFlowTests {
    private struct Ends {
        var endpoints: [WebRTCEndpoint]
        var a: PeerConnection
        var b: PeerConnection
        var channel: DataChannel
        var other: DataChannel
    }

    private func connect() async throws -> Ends {
        var options = WebRTCEndpoint.Options()
        options.addresses = ["127.0.0.1"]
        // Each peer has its own endpoint, as two peers at one address can't be distinguished.
        let endpoints = [try await WebRTCEndpoint.open(options), try await WebRTCEndpoint.open(options)]
        let (a, b) = (try await endpoints[0].connect(), try await endpoints[1].connect())
        _ = try await a.openChannel("flow")
        _ = try await a.makeOffer()
        try await b.takeOffer(try #require(await a.completeDescription()))
        _ = try await b.makeAnswer()
        try await a.takeAnswer(try #require(await b.completeDescription()))
        let (channel, other) = (try await opened(a), try await opened(b))
        return Ends(endpoints: endpoints, a: a, b: b, channel: channel, other: other)
    }

    private func opened(_ peer: PeerConnection) async throws -> DataChannel {
        for await event in peer.events { if case .channelOpened(let channel) = event { return channel } }
        throw HelioError(.ended, "never opened")
    }

    @Test("an app that is slow makes the other wait, and gets all, in order, before the channel's end")
    func slowReader() async throws {
        let ends = try await connect()
        let (count, size) = (400, 60_000)
        let handedOver = Mutex(0)
        let sent = Task {
            for number in 0..<count {
                try await ends.channel.send(.binary([UInt8(number & 0xFF)] + [UInt8](repeating: 0, count: size - 1)))
                handedOver.withLock { $0 += 1 }
            }
            await ends.channel.close()
        }
        var got: [UInt8] = []
        var mostBetween = 0
        // Nothing is read until a number of messages wait that certainly fits.
        try await eventually("some wait") { handedOver.withLock { $0 } >= 20 }
        for await event in ends.b.events {
            if case .message(_, .binary(let bytes)) = event {
                #expect(bytes.count == size)
                got.append(bytes[0])
                mostBetween = max(mostBetween, handedOver.withLock { $0 } - got.count)
                // Reads more slowly than any sender sends.
                for _ in 0..<20 { _ = await ends.b.state() }
            }
            if case .channelClosed(let channel) = event {
                #expect(channel == ends.other)
                break
            }
        }
        // 1 MiB waits at the reader, 1 MiB in its engine, 1.5 MiB at the sender; never all 24 MiB.
        #expect((20...120).contains(mostBetween))
        try await sent.value
        #expect(got == (0..<count).map { UInt8($0 & 0xFF) })
        await #expect(throws: HelioError.self) { try await ends.channel.send(.text("late")) }
        for endpoint in ends.endpoints { await endpoint.close() }
    }

    @Test("many small messages go both ways at once, none lost, each in order")
    func manySmall() async throws {
        let ends = try await connect()
        let count = 20_000
        @Sendable func receive(_ peer: PeerConnection) async -> [String] {
            var got: [String] = []
            for await event in peer.events {
                if case .message(_, .text(let text)) = event { got.append(text) }
                if got.count == count { break }
            }
            return got
        }
        @Sendable func send(_ channel: DataChannel) async throws {
            for number in 0..<count { try await channel.send(.text("\(number)")) }
        }
        async let (first, second) = (receive(ends.a), receive(ends.b))
        async let (there, back): (Void, Void) = (send(ends.channel), send(ends.other))
        try await there
        try await back
        let wanted = (0..<count).map(String.init)
        #expect(await first == wanted)
        #expect(await second == wanted)
        for endpoint in ends.endpoints { await endpoint.close() }
    }
}
