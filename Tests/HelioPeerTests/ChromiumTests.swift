import HelioCore
import HelioPeer
import HelioRTP
import HelioSDP
import Testing

/// Descriptions exchanged with Chromium itself, as offerer and as answerer.
@Suite(.serialized)
struct ChromiumTests {
    private static let viewer = """
        const p = new RTCPeerConnection();
        p.addTransceiver('video', {direction: 'recvonly'});
        p.addTransceiver('audio', {direction: 'recvonly'});
        p.createDataChannel('control');
        await p.setLocalDescription(await p.createOffer());
        """

    private func session(_ text: String) throws -> SessionDescription {
        try SessionDescription(parsing: Array(text.utf8))
    }

    @Test func chromiumOffers() throws {
        let offer = try session(try ChromiumPage.run(Self.viewer + "return p.localDescription.sdp;"))
        var host = Peer("host")
        let video = try host.negotiation.addTrack(.video, host.stream(), receives: false)
        try host.negotiation.addTrack(.audio, host.stream(), receives: false)
        let answer = try host.answer(offer)
        let agreement = try #require(host.negotiation.agreement)
        #expect(agreement.refused.isEmpty && agreement.data != nil)
        let profiles = try #require(agreement.media(video)).codecs.compactMap { $0.h264?.profile }
        #expect(profiles.contains(.constrainedBaseline))
        #expect(profiles.first == .high444Predictive, "where Chromium lists it, it comes first")
        #expect(try #require(agreement.media(video)).headerExtension(PlayoutDelay.uri)?.canSend == true)

        // Another page offers the same, and takes the answer: numbers and names don't depend on chance.
        let said = try ChromiumPage.run(
            Self.viewer + """
                await p.setRemoteDescription({type: 'answer', sdp: \(ChromiumPage.literal(answer))});
                const video = p.getTransceivers()[0];
                return [p.signalingState, p.getTransceivers().map(t => t.currentDirection),
                    video.receiver.getParameters().codecs[0].sdpFmtpLine,
                    video.receiver.getParameters().headerExtensions.length].join();
                """)
        #expect(said.hasPrefix("stable,recvonly,recvonly,"))
        #expect(said.contains("profile-level-id=f4"))
        #expect(said.hasSuffix(",\(agreement.media(video)?.extensions.count ?? 0)"))
    }

    @Test func chromiumAnswers() throws {
        var host = Peer("host")
        let video = try host.negotiation.addTrack(.video, host.stream(), receives: false)
        host.negotiation.openData()
        let first = try host.offer()
        let answerer = """
            const p = new RTCPeerConnection();
            async function answer(sdp) {
                await p.setRemoteDescription({type: 'offer', sdp});
                await p.setLocalDescription(await p.createAnswer());
                return p.localDescription.sdp;
            }
            const first = await answer(\(ChromiumPage.literal(first)));
            """
        try host.negotiation.setRemote(answer: try session(try ChromiumPage.run(answerer + "return first;")))
        let before = try #require(host.negotiation.agreement)
        #expect(before.refused.isEmpty && before.data != nil)
        #expect(before.media(video)?.direction == .sendonly)
        #expect(before.media(video)?.codecs.first?.sendRetransmissionType != nil)
        #expect(before.transport?.role == .server && before.transport?.isControlling == true)

        // Sound comes later; a page that lived through both offers has one answer for each.
        try host.negotiation.addTrack(.audio, host.stream(), receives: false)
        let second = try host.offer()
        let said = try ChromiumPage.run(
            answerer + "return first + '----' + await answer(\(ChromiumPage.literal(second)));")
        let end = try #require(said.firstRange(of: "----"))
        let answers = (try session(String(said[..<end.lowerBound])), try session(String(said[end.upperBound...])))
        #expect(answers.0.media.count == 2 && answers.1.media.count == 3)
        try host.negotiation.setRemote(answer: answers.1)
        let after = try #require(host.negotiation.agreement)
        #expect(after.media.map(\.kind) == [.video, .audio])
        #expect(after.media(video)?.codecs.map(\.sendPayloadType) == before.media(video)?.codecs.map(\.sendPayloadType))
        #expect(after.transport?.role == .server)
    }
}
