import HelioSCTP
import HelioTestPrograms
import Synchronization
import Testing

@testable import HelioPeer
@testable import HelioWebRTC

@Suite("Events that wait for their reader", .timeLimit(.minutes(1)))
struct PeerEventsTests {
    private static let picture = PeerEvent.video(
        ReceivedPicture(
            annexB: [0, 0, 0, 1, 0x65], time: .zero, isKeyframe: true, quarterTurns: 0, track: .init(number: 0)))

    private func rest(of events: PeerEvents) async -> [PeerEvent] {
        events.finish()
        var all: [PeerEvent] = []
        for await event in events { all.append(event) }
        return all
    }

    @Test("pictures that nobody takes go all together, and nothing else does")
    func pictures() async {
        let events = PeerEvents()
        for number in 0..<120 {
            #expect(events.put(Self.picture) == .taken)
            if number % 60 == 0 { #expect(events.put(.candidate("\(number)")) == .taken) }
        }
        #expect(events.put(Self.picture) == .picturesDropped)
        #expect(events.droppedPictures == 121)
        #expect(events.put(Self.picture) == .taken)
        let rest = await rest(of: events)
        #expect(rest.count == 3)
        guard case .candidate("0") = rest[0], case .candidate("60") = rest[1], case .video = rest[2] else {
            Issue.record("\(rest)")
            return
        }
    }

    @Test("of sound that nobody takes, what comes last is let go")
    func sounds() async {
        let events = PeerEvents()
        for number in 0..<503 {
            let sound = HelioWebRTC.ReceivedSound(packet: [], number: number, time: .zero, track: .init(number: 0))
            #expect(events.put(.sound(sound)) == .taken)
        }
        #expect(events.droppedSounds == 3)
        #expect(await rest(of: events).count == 500)
    }

    @Test("there is an end to what may wait")
    func bound() async {
        let events = PeerEvents()
        for _ in 0..<65_536 { #expect(events.put(.negotiationNeeded) == .taken) }
        #expect(events.put(.negotiationNeeded) == .full)
        #expect(await rest(of: events).count == 65_536)
        #expect(events.put(.negotiationNeeded) == .taken, "who has ended hears nothing, and complains of nothing")
    }

    @Test("who is slow to read makes the peer wait, until half is read")
    func enough() async throws {
        let events = PeerEvents()
        let told = Mutex(0)
        events.whenRoom { told.withLock { $0 += 1 } }
        let link = PeerLink(PeerEvents())
        let channel = DataChannel(
            PeerChannelID(rawValue: 0), DataChannelDescription(label: "x"), isByPeer: true, link: link)
        let message = PeerEvent.message(channel, .binary([UInt8](repeating: 0, count: 1 << 18)))
        for number in 1...5 { #expect(events.put(message) == (number == 4 ? .enough : .taken)) }
        let reader = events.makeAsyncIterator()
        for number in 1...5 {
            _ = await reader.next()
            #expect(told.withLock { $0 } == (number < 3 ? 0 : 1))
        }
        // Small messages count, too.
        for number in 1...8192 {
            #expect(events.put(.message(channel, .text(""))) == (number == 8192 ? .enough : .taken))
        }
        events.finish()
        var rest = 0
        for await _ in events { rest += 1 }
        #expect(rest == 8192 && told.withLock { $0 } == 2)
    }

    @Test("for messages that come together the reader is woken once, for all else at once")
    func wakesOnce() async throws {
        let events = PeerEvents()
        let asked = Mutex(0)
        events.whenMessage { asked.withLock { $0 += 1 } }
        let link = PeerLink(PeerEvents())
        let channel = DataChannel(
            PeerChannelID(rawValue: 0), DataChannelDescription(label: "x"), isByPeer: true, link: link)
        let got = Mutex(0)
        let reading = Task {
            for await _ in events { got.withLock { $0 += 1 } }
        }
        try await eventually("somebody reads") { events.hasReader }
        for _ in 0..<10 { #expect(events.put(.message(channel, .text("x"))) == .taken) }
        #expect(asked.withLock { $0 } == 1 && got.withLock { $0 } == 0)
        events.wake()
        try await eventually("ten came", sees: "\(got.withLock { $0 }) came") { got.withLock { $0 } == 10 }
        try await eventually("somebody reads") { events.hasReader }
        #expect(events.put(.message(channel, .text("x"))) == .taken)
        #expect(events.put(.negotiationNeeded) == .taken, "which wakes it for both")
        try await eventually("twelve came", sees: "\(got.withLock { $0 }) came") { got.withLock { $0 } == 12 }
        #expect(asked.withLock { $0 } == 2)
        events.finish()
        await reading.value
    }

    @Test("who reads while nothing waits gets each event at once, and the end")
    func readerWaits() async {
        let events = PeerEvents()
        let reading = Task {
            var count = 0
            for await _ in events { count += 1 }
            return count
        }
        for _ in 0..<3000 { #expect(events.put(.negotiationNeeded) == .taken) }
        events.finish()
        #expect(await reading.value == 3000)
    }

    @Test("a reader that is cancelled is let go")
    func cancelled() async {
        let events = PeerEvents()
        let reading = Task { await events.makeAsyncIterator().next() == nil }
        reading.cancel()
        #expect(await reading.value)
    }
}
