import ForeignPeers
import HelioTestLanes
import HelioTestPrograms
import Testing

/// Sessions whose only path is through coturn's relays.
@Suite(.serialized, .tags(.quiet))
struct RelayTests {
    @Test(
        arguments: [ForeignPeer.Kind.libwebrtc, .chromium, .gstreamer].flatMap { kind in [(kind, true), (kind, false)]
        },
        ["udp", "tcp"])
    func relaysAlone(_ peer: (kind: ForeignPeer.Kind, weOffer: Bool), transport: String) async throws {
        // GStreamer's libnice sends no requests to a server on loopback.
        let server = try Coturn(address: try #require(MachineAddress.ipv4))
        let servers = [
            PeerLine.ICEServer(
                urls: ["turn:\(server.address):\(server.port)?transport=\(transport)"], username: server.username,
                credential: server.password)
        ]
        var (our, their) = (
            ForeignPeerOptions(peer.weOffer ? .offer : .answer, video: .send),
            ForeignPeerOptions(peer.weOffer ? .answer : .offer, video: .receive)
        )
        (our.iceServers, our.relaysOnly) = (servers, true)
        (their.iceServers, their.relaysOnly) = (servers, true)
        let (ours, theirs) = (try ForeignPeer.heliograph(our), try ForeignPeer(peer.kind, their))
        let others = Counter()
        let pair = PeerPair(offerer: peer.weOffer ? ours : theirs, answerer: peer.weOffer ? theirs : ours) {
            candidate in
            if !candidate.contains(" typ relay") { others.add() }
            return candidate
        }
        try await pair.connect()
        #expect(others.value == 0, "nothing but relays is told")
        try await pair.answerer.next("channel") { $0.label == "peer" }
        try await pair.echo(from: ours, on: "peer", bytes: 1000, count: 10, isText: true)
        try await pair.echo(from: theirs, on: "peer", bytes: 40_000, count: 5)
        try await pair.watch(theirs)
        #expect(try await pair.candidatePair(of: ours).local.type == "relay")
        if peer.kind != .gstreamer { #expect(try await pair.candidatePair(of: theirs).local.type == "relay") }
        try await pair.stop()
    }
}
