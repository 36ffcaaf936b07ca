import ForeignPeers
import HelioTestLanes
import Testing

/// `heliograph webrtc --json` follows the peers' protocol, and reports errors.
@Suite(.serialized, .tags(.quiet))
struct HeliographProtocolTests {
    @Test func twoOfOurs() async throws {
        let pair = PeerPair(
            offerer: try .heliograph(ForeignPeerOptions(.offer, video: .send)),
            answerer: try .heliograph(ForeignPeerOptions(.answer, video: .receive)))
        try await pair.connect()
        try await pair.answerer.next("channel") { $0.label == "peer" }
        for end in [pair.offerer, pair.answerer] {
            try await pair.echo(from: end, on: "peer", bytes: 40_000, count: 10)
        }
        try await pair.watch(pair.answerer)
        try await pair.stop()
    }

    @Test(
        arguments: [
            ("hello", "no command"), (#"{"type":"dance"}"#, "no command 'dance'"),
            (#"{"type":"offer","sdp":"v=0"}"#, "first command is 'configure'"),
        ])
    func nonsense(line: String, says: String) async throws {
        let peer = try ForeignPeer.unconfigured(["answer"])
        try peer.tell(line)
        let error = try await #require(throws: ForeignPeerError.self) { try await peer.next() }
        #expect(error.description.contains(says))
    }

    /// The program exits when its standard input ends.
    @Test func endOfInput() async throws {
        let peer = try ForeignPeer.heliograph(ForeignPeerOptions(.offer))
        try await peer.next("offer")
        try await peer.stop()
    }
}
