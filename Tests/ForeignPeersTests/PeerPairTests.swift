import ForeignPeers
import Testing

/// The peers against libwebrtc, and libwebrtc against itself: what our own stack is held against works by itself.
@Suite(.serialized)
struct PeerPairTests {
    /// The picture's mean (README.md), give or take what the coding takes.
    private static let luma = 75.6...83.6

    /// Hands on what is for the other end until both are connected; gives the offer.
    @discardableResult
    private func connect(_ offerer: ForeignPeer, _ answerer: ForeignPeer) async throws -> PeerLine {
        let offer = try await offerer.next("offer")
        try answerer.tell(offer)
        try offerer.tell(try await answerer.next("answer"))
        for (from, to) in [(offerer, answerer), (answerer, offerer)] {
            while true {
                let line = try await from.next("candidate")
                try to.tell(line)
                if line.candidate == nil { break }
            }
        }
        for peer in [offerer, answerer] { try await peer.next("state") { $0.state == "connected" } }
        return offer
    }

    private func usernameFragments(_ offer: PeerLine) -> Set<Substring> {
        Set((offer.sdp ?? "").split(whereSeparator: \.isNewline).filter { $0.hasPrefix("a=ice-ufrag:") })
    }

    @Test(arguments: ForeignPeer.Kind.allCases, [true, false])
    func dataAndPictures(_ kind: ForeignPeer.Kind, offers: Bool) async throws {
        let it = try ForeignPeer(kind, ForeignPeerOptions(offers ? .offer : .answer, video: .send))
        let other = try ForeignPeer(.libwebrtc, ForeignPeerOptions(offers ? .answer : .offer, video: .receive))
        try await connect(offers ? it : other, offers ? other : it)

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

        let frames = try await other.next("frames") { Self.luma.contains($0.luma ?? 0) && ($0.count ?? 0) > 20 }
        #expect(frames.width == 320 && frames.height == 240)

        try it.tell(.close("back"))
        try await other.next("channelClosed") { $0.label == "back" }
        try other.tell(.stats)
        let stats = try await other.next("stats")
        #expect(stats.messagesReceived == 30 && stats.echoes == 10)
        #expect(stats.candidatePair?.remote.protocol == "udp")
        try await it.stop()
        try await other.stop()
    }

    @Test(arguments: [ForeignPeer.Kind.libwebrtc, .chromium])
    func iceRestarts(_ kind: ForeignPeer.Kind) async throws {
        let offerer = try ForeignPeer(kind, ForeignPeerOptions(.offer))
        let answerer = try ForeignPeer(.libwebrtc, ForeignPeerOptions(.answer))
        let first = try await connect(offerer, answerer)
        try offerer.tell(.restart)
        let offer = try await offerer.next("offer")
        try answerer.tell(offer)
        try offerer.tell(try await answerer.next("answer"))
        #expect(!usernameFragments(offer).isEmpty)
        #expect(usernameFragments(offer).isDisjoint(with: usernameFragments(first)))
        try offerer.tell(.send(on: "peer", bytes: 10, count: 1))
        try await offerer.next("echoed")
        try await offerer.stop()
        try await answerer.stop()
    }

    /// A browser's candidates as users have them: names of mDNS instead of addresses.
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
