import ForeignPeers
import HelioTestLanes
import Testing

/// `heliograph webrtc` against each third-party peer: H.264 pictures and data channels, with either end as the offerer.
@Suite(.serialized, .tags(.quiet))
struct HeliographPeerTests {
    enum Picture: CaseIterable {
        case ours, theirs
    }

    /// Makes a pair of `heliograph webrtc` and a third-party peer, with the roles that the arguments select.
    private func makePair(
        _ kind: ForeignPeer.Kind, weOffer: Bool, _ picture: Picture
    ) throws -> (ours: ForeignPeer, theirs: ForeignPeer, pair: PeerPair) {
        let (offers, answers) = (ForeignPeerOptions.Role.offer, ForeignPeerOptions.Role.answer)
        let ours = try ForeignPeer.heliograph(
            ForeignPeerOptions(weOffer ? offers : answers, video: picture == .ours ? .send : .receive))
        let theirs = try ForeignPeer(
            kind, ForeignPeerOptions(weOffer ? answers : offers, video: picture == .ours ? .receive : .send))
        let pair = PeerPair(offerer: weOffer ? ours : theirs, answerer: weOffer ? theirs : ours)
        return (ours, theirs, pair)
    }

    @Test(arguments: ForeignPeer.Kind.allCases.flatMap { kind in [(kind, true), (kind, false)] }, Picture.allCases)
    func dataAndPictures(_ peer: (kind: ForeignPeer.Kind, weOffer: Bool), _ picture: Picture) async throws {
        let (ours, theirs, pair) = try makePair(peer.kind, weOffer: peer.weOffer, picture)
        try await pair.connect()

        // The offer's channel, and then one that each end opens.
        try await pair.offerer.next("channel") { $0.label == "peer" && $0.incoming == false }
        try await pair.answerer.next("channel") { $0.label == "peer" && $0.incoming == true && $0.ordered == true }
        for end in [ours, theirs] { try await pair.echo(from: end, on: "peer", bytes: 1000, count: 20, isText: true) }
        for (opener, other, label) in [(ours, theirs, "ours"), (theirs, ours, "theirs")] {
            try opener.tell(.open(label, ordered: false, protocol: "p"))
            try await opener.next("channel") { $0.label == label && $0.incoming == false }
            let channel = try await other.next("channel") { $0.label == label }
            #expect(channel.incoming == true && channel.ordered == false && channel.protocol == "p")
            // Messages of 50,000 bytes, which take many packets each.
            try await pair.echo(from: opener, on: label, bytes: 50_000, count: 10)
            try opener.tell(.close(label))
            for end in [ours, theirs] { try await end.next("channelClosed") { $0.label == label } }
        }
        try await pair.watch(picture == .ours ? theirs : ours)

        try ours.tell(.stats)
        let statistics = try await ours.next("stats")
        #expect(statistics.messagesReceived == 60 && statistics.messagesSent == 60 && statistics.echoes == 30)
        try await pair.goOverToUDP(ours, watched: picture == .ours ? theirs : ours)
        try await pair.stop()
    }

    /// Each end in turn restarts ICE while pictures continue.
    @Test(arguments: [ForeignPeer.Kind.libwebrtc, .chromium], [true, false])
    func iceRestarts(_ kind: ForeignPeer.Kind, weOffer: Bool) async throws {
        let (ours, theirs, pair) = try makePair(kind, weOffer: weOffer, .ours)
        var before = try await pair.connect()
        try await pair.answerer.next("channel") { $0.label == "peer" }
        for end in [theirs, ours] {
            try await pair.watch(theirs)
            try end.tell(.restart)
            let now = try await pair.negotiate(offeredBy: end)
            let earlier = PeerPair.usernameFragments(before.offer).union(PeerPair.usernameFragments(before.answer))
            let later = PeerPair.usernameFragments(now.offer).union(PeerPair.usernameFragments(now.answer))
            #expect(later.count == 2 && later.isDisjoint(with: earlier))
            try await pair.echo(from: ours, on: "peer", bytes: 10, count: 1)
            try await pair.echo(from: theirs, on: "peer", bytes: 10, count: 1)
            try await pair.watch(theirs, after: try await pair.pictures(at: theirs))
            before = now
        }
        #expect(try await pair.candidatePair(of: ours).local.type == "host")
        try await pair.stop()
    }

    /// Chromium's candidates as users have them: mDNS names instead of addresses.
    @Test(arguments: [true, false])
    func hiddenAddresses(weOffer: Bool) async throws {
        var options = ForeignPeerOptions(weOffer ? .answer : .offer, video: .receive)
        options.hidesAddresses = true
        let theirs = try ForeignPeer(.chromium, options)
        let ours = try ForeignPeer.heliograph(ForeignPeerOptions(weOffer ? .offer : .answer, video: .send))
        let names = Counter()
        let pair = PeerPair(offerer: weOffer ? ours : theirs, answerer: weOffer ? theirs : ours) { candidate in
            if candidate.contains(".local ") { names.add() }
            return candidate
        }
        try await pair.connect()
        #expect(names.value > 0)
        try await pair.watch(theirs)
        try await pair.stop()
    }

    /// The third-party peer's mDNS names don't resolve: its checks reach Heliograph, which learns the address from
    /// them.
    @Test(arguments: [true, false])
    func namesOfNobody(weOffer: Bool) async throws {
        var (ours, theirs, pair) = try makePair(.libwebrtc, weOffer: weOffer, .ours)
        pair.passCandidate = { candidate in
            var words = candidate.split(separator: " ")
            // Only the third-party peer's candidates have a `generation` attribute.
            guard words.contains("generation") else { return candidate }
            words[4] = "6e8f2f4c-0a2b-4d8e-9a57-3c1f5d2b7a10.local"
            return words.joined(separator: " ")
        }
        try await pair.connect()
        #expect(try await pair.candidatePair(of: ours).remote.type == "prflx")
        try await pair.watch(theirs)
        try await pair.stop()
    }

    /// With UDP blocked, the third-party peers connect to Heliograph's TCP candidate.
    @Test(arguments: [ForeignPeer.Kind.libwebrtc, .chromium], [true, false])
    func tcpAlone(_ kind: ForeignPeer.Kind, weOffer: Bool) async throws {
        var (ours, theirs, pair) = try makePair(kind, weOffer: weOffer, .theirs)
        pair.passCandidate = { $0.contains(" tcptype passive") ? $0 : nil }
        try await pair.connect()
        try await pair.answerer.next("channel") { $0.label == "peer" }
        try await pair.echo(from: theirs, on: "peer", bytes: 50_000, count: 20)
        try await pair.watch(ours)
        for end in [ours, theirs] {
            let used = try await pair.candidatePair(of: end)
            #expect(used.local.protocol == "tcp" && used.remote.protocol == "tcp")
        }
        try await pair.stop()
    }

    /// H.264 profiles of these peers besides Constrained Baseline, and the pixel format that Chromium reports.
    private static let otherProfiles: [(kind: ForeignPeer.Kind, profile: String, format: String?)] = [
        (.libwebrtc, "4d001f", nil), (.libwebrtc, "64001f", nil), (.chromium, "4d001f", "I420"),
        (.chromium, "f4001f", "I444"),
    ]

    /// A third-party peer with only one of these profiles: both ends agree on it, and the peer decodes it.
    @Test(arguments: otherProfiles, [true, false])
    func profiles(_ agreed: (kind: ForeignPeer.Kind, profile: String, format: String?), weOffer: Bool) async throws {
        let ours = try ForeignPeer.heliograph(
            ForeignPeerOptions(weOffer ? .offer : .answer, video: .send), ["--chroma", "444"])
        var options = ForeignPeerOptions(weOffer ? .answer : .offer, video: .receive)
        options.codecProfile = agreed.profile
        let theirs = try ForeignPeer(agreed.kind, options)
        let pair = PeerPair(offerer: weOffer ? ours : theirs, answerer: weOffer ? theirs : ours)
        let answer = try await pair.connect().answer.lowercased()
        #expect(answer.contains("profile-level-id=\(agreed.profile.prefix(4))"))
        #expect(!answer.contains("profile-level-id=42"))
        #expect(try await pair.watch(theirs).format == agreed.format)
        try await pair.stop()
    }
}
