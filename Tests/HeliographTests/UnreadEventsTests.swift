import HelioCore
import HelioLoop
import HelioSession
import Testing

@testable import HelioViewing
@testable import Heliograph

/// Library events that an app reads late.
@Suite("Events that an app reads late")
struct UnreadEventsTests {
    private static func question(_ number: UInt64) -> PairingQuestion {
        PairingQuestion(id: .init(ConnectionID(number)), address: "192.0.2.7", name: "laptop", code: "123 456")
    }

    private static func read(_ events: SourceEvents) async -> [MirrorSource.Event] {
        events.finish()
        return await events.reduce(into: []) { $0.append($1) }
    }

    @Test("a question in between ten thousand refusals is asked, and the link that came with it is told")
    func question() async {
        let events = SourceEvents()
        func flood(_ count: Int, from part: Int) {
            for number in 0..<count {
                events.put(.viewerRefused(address: "192.0.\(part).\(number % 256)", reason: "wrong-proof \(number)"))
            }
        }
        events.put(.started(port: 7236))
        events.put(.viewerJoined(address: "192.0.2.1", device: "phone"))
        flood(5000, from: 1)
        events.put(.link(.init(text: "one", code: "", web: nil, webFromAnywhere: nil)))
        // Questions that were withdrawn: nobody needs to see them.
        for number in 1...1000 {
            events.put(.pairingAsked(Self.question(UInt64(number))))
            events.put(.pairingOver(.init(ConnectionID(UInt64(number)))))
        }
        events.put(.pairingAsked(Self.question(2000)))
        events.put(.link(.init(text: "two", code: "", web: nil, webFromAnywhere: nil)))
        events.put(.viewerLeft(address: "192.0.2.2", device: nil, reason: "left"))
        flood(5000, from: 3)
        events.put(.failed(HelioError(.captureFailed, "over")))

        let drops = events.allDrops
        let all = await Self.read(events)
        #expect(all.count < 520)
        #expect(drops.values.reduce(0, +) + all.count == 12_007)
        #expect((drops["event-too-many"] ?? 0) > 9000 && drops["event-unseen"] == 2000)
        let told = all.compactMap { event -> String? in
            switch event {
            case .started: "started"
            case .viewerJoined: "joined"
            case .viewerLeft: "left"
            case .link(let link): "link \(link.text)"
            case .pairingAsked(let question): "asked \(question.id.number)"
            case .pairingOver(let id): "over \(id.number)"
            case .failed: "failed"
            default: nil
            }
        }
        #expect(told == ["started", "joined", "asked 2000", "link two", "left", "failed"])
    }

    @Test("a viewer's end comes through behind ten thousand moves of the pointer, and each move is counted")
    func end() {
        var news = EventQueue<SinkConnection.News>(capacity: 256)
        for number in 0..<10_000 { news.put(.cursorMoved(x: Float(number) / 10_000, y: 0)) }
        news.put(.ended(HelioError(.ended, "over")))
        for number in 0..<10_000 { news.put(.note("\(number)")) }
        #expect(news.count <= 512)
        let drops = news.drops.total
        let all = news.takeAll()
        #expect(drops + all.count == 20_001)
        #expect(all.contains { if case .ended = $0 { true } else { false } })
        let places = all.compactMap { if case .cursorMoved(let x, _) = $0 { x } else { nil } }
        #expect(places.last == 0.9999)
    }

    @Test("a sink's end comes through behind thousands of other events, and frames keep what they are")
    func sink() async {
        let events = SinkEvents()
        let frame = EncodedFrame(annexB: [0, 0, 0, 1, 0x65], presentationTime: .zero, isKeyframe: true)
        let attributes = [640, 320].map { MediaAttributes(format: .avc, width: $0, height: 200) }
        events.put(.played(attributes[0], allowsControl: true))
        #expect(events.put(frame: frame))
        events.put(.changed(attributes[1]))
        #expect(events.put(frame: frame))
        for number in 0..<10_000 { events.put(.driver(.other(name: "\(number)"))) }
        events.put(.ended(HelioError(.ended, "over")))
        for number in 0..<10_000 { events.put(.info("\(number)")) }
        events.finish()
        var told: [String] = []
        for await event in events {
            switch event {
            case .played: told.append("played")
            case .changed(let attributes): told.append("changed \(attributes.width)")
            case .received: told.append("frame")
            case .driver(.other(let name)): if told.last != "driver" || name == "9999" { told.append("driver") }
            case .ended: told.append("ended")
            default: break
            }
        }
        #expect(told == ["played", "frame", "changed 320", "frame", "driver", "ended"])
        #expect((events.allDrops["event-overtaken"] ?? 0) >= 9000)
    }
}
