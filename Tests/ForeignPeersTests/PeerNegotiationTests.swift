import ForeignPeers
import HelioCore
import HelioPeer
import HelioRTP
import HelioSDP
import HelioTestLanes
import Testing

/// Every third-party peer starts, and Heliograph's negotiation parses its offers and answers.
@Suite(.serialized, .tags(.quiet))
struct PeerNegotiationTests {
    private struct Ours {
        var negotiation: Negotiation
        let transport: LocalTransport

        init() throws {
            negotiation = Negotiation(NegotiationConfiguration(sessionID: 7, cname: "ours"))
            transport = LocalTransport(
                usernameFragment: try #require(ICEUsernameFragment("oursours")),
                password: try #require(ICEPassword("ourpasswordourpassword00")),
                fingerprints: [
                    try #require(CertificateFingerprint(hash: "sha-256", bytes: [UInt8](repeating: 7, count: 32)))
                ])
        }

        mutating func video(receives: Bool) throws {
            try negotiation.addTrack(
                .video,
                SendingStream(ssrc: SSRC(1), retransmissionSSRC: SSRC(2), stream: "screen", track: "track"),
                receives: receives)
        }

        mutating func offer() throws -> PeerLine {
            let offer = try negotiation.createOffer(transport)
            try negotiation.setLocal(offer)
            return .offer(String(decoding: offer.session.serialised(), as: UTF8.self))
        }
    }

    private func session(_ line: PeerLine) throws -> SessionDescription {
        try SessionDescription(parsing: Array(try #require(line.sdp).utf8))
    }

    @Test(arguments: ForeignPeer.Kind.allCases)
    func ourAnswerToItsOffer(_ kind: ForeignPeer.Kind) async throws {
        let peer = try ForeignPeer(kind, ForeignPeerOptions(.offer, video: .receive))
        var ours = try Ours()
        try ours.video(receives: false)
        try ours.negotiation.setRemote(offer: try session(try await peer.next("offer")))
        let answer = try ours.negotiation.createAnswer(ours.transport)
        try ours.negotiation.setLocal(answer)
        let agreement = try #require(ours.negotiation.agreement)
        #expect(agreement.refused.isEmpty)
        #expect(agreement.data != nil)
        #expect(agreement.media.first?.direction == .sendonly)
        #expect(agreement.media.first?.codecs.first?.h264?.profile == .constrainedBaseline)
        // An error in the answer would end the peer, and fail the test.
        try peer.tell(.answer(String(decoding: answer.session.serialised(), as: UTF8.self)))
        try peer.tell(.stats)
        #expect(try await peer.next("stats").framesReceived == 0)
        try await peer.stop()
    }

    @Test(arguments: ForeignPeer.Kind.allCases)
    func itsAnswerToOurOffer(_ kind: ForeignPeer.Kind) async throws {
        let peer = try ForeignPeer(kind, ForeignPeerOptions(.answer, video: .receive))
        var ours = try Ours()
        try ours.video(receives: false)
        ours.negotiation.openData()
        try peer.tell(try ours.offer())
        try ours.negotiation.setRemote(answer: try session(try await peer.next("answer")))
        let agreement = try #require(ours.negotiation.agreement)
        #expect(agreement.refused.isEmpty)
        #expect(agreement.data != nil)
        #expect(agreement.media.first?.direction == .sendonly)
        #expect(agreement.media.first?.codecs.first?.h264 != nil)
        try await peer.stop()
    }

    /// An offer with all profiles of a browser is answered with the best one that Heliograph supports.
    @Test func allOfABrowsersProfiles() async throws {
        var options = ForeignPeerOptions(.offer, video: .receive)
        options.codecProfile = "any"
        let peer = try ForeignPeer(.chromium, options)
        var ours = try Ours()
        try ours.video(receives: false)
        try ours.negotiation.setRemote(offer: try session(try await peer.next("offer")))
        try ours.negotiation.setLocal(try ours.negotiation.createAnswer(ours.transport))
        let codecs = try #require(ours.negotiation.agreement?.media.first?.codecs)
        #expect(codecs.first?.h264?.profile == .high444Predictive)
        #expect(codecs.contains { $0.h264?.profile == .constrainedBaseline })
        #expect(ours.negotiation.agreement?.media.first?.headerExtension(PlayoutDelay.uri)?.canSend == true)
        try await peer.stop()
    }

    /// A browser keeps its payload types and DTLS role through a second offer.
    @Test func audioComesLater() async throws {
        let peer = try ForeignPeer(.chromium, ForeignPeerOptions(.answer, video: .receive))
        var ours = try Ours()
        try ours.video(receives: false)
        ours.negotiation.openData()
        try peer.tell(try ours.offer())
        try ours.negotiation.setRemote(answer: try session(try await peer.next("answer")))
        let before = try #require(ours.negotiation.agreement)
        #expect(before.transport?.role == .server && before.transport?.isControlling == true)

        try ours.negotiation.addTrack(
            .audio, SendingStream(ssrc: SSRC(3), retransmissionSSRC: SSRC(4), stream: "screen", track: "sound"),
            receives: false)
        try peer.tell(try ours.offer())
        try ours.negotiation.setRemote(answer: try session(try await peer.next("answer")))
        let after = try #require(ours.negotiation.agreement)
        #expect(after.media.map(\.kind) == [.video, .audio] && after.data != nil)
        #expect(after.media.first?.codecs.map(\.sendPayloadType) == before.media.first?.codecs.map(\.sendPayloadType))
        #expect(after.media.first?.codecs.first?.sendRetransmissionType != nil)
        #expect(after.transport?.role == .server)
        try await peer.stop()
    }

    /// aiortc's draft form of data channels is rejected, and the rest of the offer is accepted.
    @Test func aDraftsDataChannels() async throws {
        var options = ForeignPeerOptions(.offer, video: .receive)
        options.usesLegacySCTP = true
        let peer = try ForeignPeer(.aiortc, options)
        var ours = try Ours()
        try ours.video(receives: false)
        try ours.negotiation.setRemote(offer: try session(try await peer.next("offer")))
        try ours.negotiation.setLocal(try ours.negotiation.createAnswer(ours.transport))
        let agreement = try #require(ours.negotiation.agreement)
        #expect(agreement.data == nil && agreement.refused.count == 1)
        #expect(agreement.media.first?.direction == .sendonly)
        try await peer.stop()
    }
}
