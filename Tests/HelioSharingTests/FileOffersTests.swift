import HelioCore
import HelioTransferWire
import Synchronization
import Testing

@testable import HelioSharing

@Suite("A key answers the offer that was read")
struct FileOffersTests {
    private static func batch(_ peer: Int, _ name: String) -> FileBatch {
        FileBatch(
            id: .init(peer: peer, batch: BatchID(UInt64(peer))), peer: "viewer \(peer)", isIncoming: true, name: name,
            count: 1,
            bytes: 1)
    }

    private static func name(_ answer: FileOffers.Answered) -> String {
        switch answer {
        case .offer(let batch): batch.name
        case .tooSoon: "too soon"
        case .nothing: "nothing"
        }
    }

    @Test("the one that was shown last, once it could be read; then the one before, shown again")
    func last() {
        let time = Mutex(Instant.zero)
        let offers = FileOffers(now: { time.withLock { $0 } })
        func pass(_ duration: Duration) { time.withLock { $0 = $0 + duration } }
        #expect(Self.name(offers.takeShown()) == "nothing")
        offers.follow(.offered(Self.batch(1, "mallory")))
        pass(.seconds(60))
        offers.follow(.offered(Self.batch(2, "alice")))
        #expect(Self.name(offers.takeShown()) == "too soon")
        pass(.milliseconds(999))
        #expect(Self.name(offers.takeShown()) == "too soon")
        pass(.milliseconds(1))
        #expect(Self.name(offers.takeShown()) == "alice")
        #expect(offers.last?.name == "mallory")
        #expect(Self.name(offers.takeShown()) == "too soon", "it was hidden by the other")
        pass(.seconds(1))
        #expect(Self.name(offers.takeShown()) == "mallory")
        #expect(Self.name(offers.takeShown()) == "nothing")
    }

    @Test("one that lapsed and is offered again is another to read")
    func again() {
        let time = Mutex(Instant.zero)
        let offers = FileOffers(now: { time.withLock { $0 } })
        offers.follow(.offered(Self.batch(1, "harmless")))
        time.withLock { $0 = .zero + .seconds(10) }
        offers.follow(.lapsed(Self.batch(1, "harmless")))
        offers.follow(.offered(Self.batch(1, "harmful")))
        #expect(Self.name(offers.takeShown()) == "too soon")
    }

    @Test("those of one end are told apart by its name")
    func byName() {
        let offers = FileOffers(now: { .zero })
        for (peer, name) in [(1, "a"), (2, "b"), (1, "c")] { offers.follow(.offered(Self.batch(peer, name))) }
        #expect(offers.all(from: nil).map(\.name) == ["a", "b", "c"])
        #expect(offers.all(from: "viewer 1").map(\.name) == ["a", "c"])
        #expect(offers.all(from: "viewer").isEmpty)
    }

    @Test(
        "one that is no paired device is called by its address too, and by nothing else in brackets",
        arguments: [
            ("Firefox on Linux (192.0.2.7)", "192.0.2.7", true), ("tower ([fd00::2]:7300)", "[fd00::2]:7300", true),
            ("192.0.2.7", "192.0.2.7", true), ("Firefox on Linux (192.0.2.7)", "192.0.2.70", false),
            ("Firefox on Linux (192.0.2.7)", "Firefox on Linux", false), ("evil (laptop) (192.0.2.7)", "laptop", false),
            ("evil (laptop)", "laptop", false), ("laptop", "laptop", true),
        ])
    func addresses(name: String, typed: String, isCalled: Bool) {
        #expect(FileRecipient.isCalled(typed, name) == isCalled)
    }
}
