import ForeignPeers
import HelioTestLanes
import Testing

/// The third-party peers against libwebrtc, and libwebrtc against itself: proof that they work without Heliograph.
@Suite(.serialized, .tags(.quiet))
struct PeerPairTests {
    @Test(arguments: ForeignPeer.Kind.allCases, [true, false])
    func dataAndPictures(_ kind: ForeignPeer.Kind, offers: Bool) async throws {
        let it = try ForeignPeer(kind, ForeignPeerOptions(offers ? .offer : .answer, video: .send))
        let other = try ForeignPeer(.libwebrtc, ForeignPeerOptions(offers ? .answer : .offer, video: .receive))
        let pair = PeerPair(offerer: offers ? it : other, answerer: offers ? other : it)
        try await pair.connect()

        try await it.next("channel") { $0.label == "peer" && $0.incoming == !offers }
        try it.tell(.send(on: "peer", bytes: 1000, count: 20, seed: 3, isText: true))
        #expect(try await it.next("echoed").count == 20)
        let message = try await other.next("message")
        #expect(message.isText == true && message.bytes == 1000)
        #expect(message.sha256?.count == 64)

        try other.tell(.open("back", ordered: false, protocol: "p"))
        try await other.next("channel") { $0.label == "back" && $0.incoming == false }
        let back = try await it.next("channel") { $0.label == "back" }
        #expect(back.ordered == false && back.protocol == "p" && back.incoming == true)
        try other.tell(.send(on: "back", bytes: 40_000, count: 10, seed: 9))
        #expect(try await other.next("echoed") { $0.label == "back" }.count == 10)

        try await pair.watch(other)

        try it.tell(.close("back"))
        try await other.next("channelClosed") { $0.label == "back" }
        try other.tell(.stats)
        let stats = try await other.next("stats")
        #expect(stats.messagesReceived == 30 && stats.echoes == 10)
        #expect(stats.candidatePair?.remote.protocol == "udp")
        try await pair.stop()
    }

    @Test(arguments: [ForeignPeer.Kind.libwebrtc, .chromium])
    func iceRestarts(_ kind: ForeignPeer.Kind) async throws {
        let offerer = try ForeignPeer(kind, ForeignPeerOptions(.offer))
        let answerer = try ForeignPeer(.libwebrtc, ForeignPeerOptions(.answer))
        let pair = PeerPair(offerer: offerer, answerer: answerer)
        let first = PeerPair.usernameFragments(try await pair.connect().offer)
        try offerer.tell(.restart)
        let second = PeerPair.usernameFragments(try await pair.negotiate().offer)
        #expect(!second.isEmpty && second.isDisjoint(with: first))
        try offerer.tell(.send(on: "peer", bytes: 10, count: 1))
        try await offerer.next("echoed")
        try await pair.stop()
    }

    /// Chromium's candidates as users have them: mDNS names instead of addresses.
    @Test func hiddenAddresses() async throws {
        var options = ForeignPeerOptions(.offer)
        options.hidesAddresses = true
        let chromium = try ForeignPeer(.chromium, options)
        try await chromium.next("offer")
        let candidate = try await chromium.next("candidate")
        #expect(candidate.candidate?.contains(".local ") == true, "\(candidate.candidate ?? "none")")
        try await chromium.stop()
    }

    @Test func whatAPeerCannotDo() async throws {
        let peer = try ForeignPeer(.aiortc, ForeignPeerOptions(.answer))
        try peer.tell(.restart)
        #expect(try await peer.next("unsupported").command == "restart")
        try peer.tell(.answer("nonsense"))
        await #expect(throws: ForeignPeerError.self) { try await peer.next("state") { $0.state == "connected" } }
    }
}
