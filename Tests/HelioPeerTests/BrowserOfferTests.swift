import HelioCore
import HelioPeer
import HelioRTP
import HelioSDP
import Testing

/// Answers offers in the form of other stacks, and checks the answers from the offerer's view.
struct BrowserOfferTests {
    private func bundle(_ session: SessionDescription) -> [String]? { session.attributes.first(MediaGroup.self)?.names }

    /// A host's answer to a peer that offers to send: the browser's own sections become inactive.
    @Test func whoOnlySendsTakesNothing() throws {
        var configuration = NegotiationConfiguration(sessionID: 1, cname: "host")
        configuration.receivesMedia = false
        var host = Peer("host", configuration)
        let id = try host.negotiation.addTrack(.video, host.stream())
        let answer = try host.answer(try Descriptions.session(Descriptions.chromium))
        let agreement = try #require(host.negotiation.agreement)
        #expect(agreement.media(id)?.direction == .sendonly)
        #expect(answer.media.map(\.attributes.direction) == [.sendonly, .inactive, nil])
        #expect(answer.media.allSatisfy { $0.port == 9 } && agreement.refused.isEmpty && agreement.data != nil)
        for transceiver in host.negotiation.transceivers {
            try host.negotiation.setDirection(transceiver.id, .sendrecv)
        }
        #expect(host.negotiation.transceivers.allSatisfy { $0.direction == .sendonly })
    }

    @Test func chromium() throws {
        var host = Peer("host")
        let id = try host.negotiation.addTrack(.video, host.stream(), receives: false)
        let answer = try host.answer(try Descriptions.session(Descriptions.chromium))
        let agreement = try #require(host.negotiation.agreement)

        // Best first in this end's order: 4:4:4, since the browser lists it, then High, Main and Constrained Baseline
        // in packetization mode 1. Baseline and mode 0 count as other codecs.
        let video = try #require(agreement.media(id))
        #expect(video.codecs.map(\.sendPayloadType.rawValue) == [39, 112, 127, 106])
        #expect(video.codecs.map(\.sendRetransmissionType?.rawValue) == [40, 113, 125, 107])
        #expect(
            video.codecs.compactMap { $0.h264?.profile } == [.high444Predictive, .high, .main, .constrainedBaseline])
        #expect(video.codecs.compactMap { $0.h264?.sendLevel.idc } == [31, 31, 31, 31])
        #expect(video.codecs.compactMap { $0.h264?.receiveLevel.idc } == [52, 52, 52, 52])
        #expect(video.codecs[0].feedback == [.init("nack"), .init("nack", "pli")])
        #expect(video.codecs[3].feedback.count == 5)
        #expect(video.direction == .sendonly)
        #expect(video.headerExtension(MediaIDExtension.uri)?.id == 9)
        #expect(video.headerExtension(PlayoutDelay.uri)?.canSend == true)
        #expect(video.extensions.map(\.id).sorted() == [2, 3, 4, 5, 9])
        #expect(video.hasReducedSizeRTCP && video.allowsMixedExtensions)

        // The microphone has a separate transceiver, which only receives.
        let audio = try #require(agreement.media.last)
        #expect(audio.kind == .audio && audio.direction == .recvonly)
        #expect(audio.codecs.map(\.receivePayloadType.rawValue) == [111])
        #expect(audio.remote.sources == [SSRC(3_735_928_559)])
        #expect(audio.remote.cname == "nobodyKnows" && audio.remote.track == "4c7f0b3a-microphone")
        #expect(host.negotiation.transceivers.map(\.kind) == [.video, .audio])
        #expect(agreement.data?.maximumSentMessageSize == 262_144)
        #expect(agreement.refused.isEmpty)

        let transport = try #require(agreement.transport)
        #expect(transport.remoteUsernameFragment.text == "CrUf")
        #expect(transport.role == .client && !transport.isControlling && transport.isRemoteTrickling)
        #expect(transport.isNewDTLSAssociation && !transport.isICERestart)
        #expect(transport.mids == ["0", "1", "2"])

        #expect(bundle(answer) == ["0", "1", "2"])
        #expect(answer.attributes.has(ExtensionMapAllowMixed.self))
        #expect(answer.media.map(\.formats).first == ["39", "40", "112", "113", "127", "125", "106", "107"])
        #expect(answer.media[0].attributes.formatParameters(for: PayloadType(106))?["profile-level-id"] == "42e034")
        #expect(answer.media[0].attributes.formatParameters(for: PayloadType(107))?["apt"] == "106")
        #expect(answer.media.allSatisfy { $0.port == 9 && $0.attributes.first(SetupRole.self) == .active })
        #expect(answer.media[0].attributes.direction == .sendonly)
        #expect(answer.media[1].attributes.direction == .recvonly)
        #expect(answer.media[1].attributes.first(MediaStreamID.self) == nil)
        #expect(answer.media[2].attributes.first(SCTPPort.self)?.port == 5000)
    }

    @Test func firefox() throws {
        var host = Peer("host")
        let video = try host.negotiation.addTrack(.video, host.stream())
        let answer = try host.answer(try Descriptions.session(Descriptions.firefox))
        let agreement = try #require(host.negotiation.agreement)
        let media = try #require(agreement.media(video))
        #expect(media.codecs.map(\.sendPayloadType.rawValue) == [126])
        #expect(media.codecs.first?.sendRetransmissionType?.rawValue == 127)
        #expect(media.remote.sources == [SSRC(2_222_222_222), SSRC(3_333_333_333)])
        #expect(media.remote.retransmissions == [SSRC(2_222_222_222): SSRC(3_333_333_333)])
        #expect(media.remote.streams == ["{4ac1}"])
        #expect(media.direction == .sendrecv)
        // The offerer only receives the extension, so this end only sends it.
        let delay = try #require(media.headerExtension(PlayoutDelay.uri))
        #expect(delay.canSend && !delay.canReceive)
        let line = answer.media[1].attributes.values(of: ExtensionMap.self).first { $0.uri == PlayoutDelay.uri }
        #expect(line?.direction == .sendonly && line?.id == 6)
        #expect(agreement.data?.maximumSentMessageSize == 1_073_741_823)
        // The fingerprint is a session-level attribute, with digits in upper case.
        #expect(agreement.transport?.remoteFingerprints.first?.bytes == [UInt8](repeating: 0x5C, count: 32))
        #expect(agreement.transport?.isRemoteTrickling == true)
    }

    @Test func gstreamer() throws {
        var viewer = Peer("viewer")
        let answer = try viewer.answer(try Descriptions.session(Descriptions.gstreamer))
        let agreement = try #require(viewer.negotiation.agreement)
        let media = try #require(agreement.media.first)
        #expect(media.mid == "video0" && media.direction == .recvonly)
        #expect(media.codecs.map(\.receivePayloadType.rawValue) == [96])
        // Without `level-asymmetry-allowed` both levels are the lower one, and the answer says so.
        #expect(media.codecs.first?.h264?.receiveLevel.idc == 20 && media.codecs.first?.h264?.sendLevel.idc == 20)
        let parameters = answer.media[0].attributes.formatParameters(for: PayloadType(96))
        #expect(parameters?["profile-level-id"] == "42e014")
        #expect(parameters?["level-asymmetry-allowed"] == nil)
        #expect(
            media.codecs.first?.remoteParameters?["sprop-parameter-sets"] == "Z0LAFNoHgUaEAAADAAQA,aM48gA=="
        )
        // The offered port is 0, with `bundle-only`.
        #expect(agreement.data?.mid == "application1" && agreement.data?.maximumSentMessageSize == 65_536)
        #expect(answer.media[1].port == 9)
        #expect(bundle(answer) == ["video0", "application1"])
    }

    @Test func aiortc() throws {
        var viewer = Peer("viewer")
        _ = try viewer.answer(try Descriptions.session(Descriptions.aiortc))
        let agreement = try #require(viewer.negotiation.agreement)
        #expect(agreement.media.first?.codecs.map(\.receivePayloadType.rawValue) == [101])
        #expect(agreement.media.first?.hasReducedSizeRTCP == false)
        let transport = try #require(agreement.transport)
        #expect(transport.remoteCandidates.count == 2)
        #expect(transport.remoteCandidates[1].text.hasSuffix("rport 50101"))
        #expect(!transport.isRemoteTrickling)
        // SHA-1 fingerprints are ignored.
        #expect(transport.remoteFingerprints.map(\.hash) == ["sha-256", "sha-384"])
    }

    /// libwebrtc answers with the offer's payload types in the offer's order, and with a level of its own.
    @Test func answerOfLibwebrtc() throws {
        var host = Peer("host")
        let video = try host.negotiation.addTrack(.video, host.stream(), receives: false)
        host.negotiation.openData()
        let offer = try host.offer()
        let baseline = try #require(
            offer.media[0].attributes.values(of: FormatParameters.self).first { $0["profile-level-id"] == "42e034" })
        let type = baseline.payloadType.rawValue
        let answer = try Descriptions.session(
            """
            v=0
            o=- 6720391 2 IN IP4 127.0.0.1
            s=-
            t=0 0
            a=group:BUNDLE 0 1
            a=extmap-allow-mixed
            a=msid-semantic: WMS
            m=video 9 UDP/TLS/RTP/SAVPF \(type) \(type + 1)
            c=IN IP4 0.0.0.0
            a=rtcp:9 IN IP4 0.0.0.0
            a=ice-ufrag:lwUf
            a=ice-pwd:libwebrtcPasswordIsHere0
            a=ice-options:trickle
            a=fingerprint:\(Descriptions.fingerprint)
            a=setup:active
            a=mid:0
            a=extmap:1 urn:ietf:params:rtp-hdrext:sdes:mid
            a=recvonly
            a=rtcp-mux
            a=rtcp-rsize
            a=rtpmap:\(type) H264/90000
            a=rtcp-fb:\(type) nack
            a=rtcp-fb:\(type) nack pli
            a=fmtp:\(type) level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42e01f
            a=rtpmap:\(type + 1) rtx/90000
            a=fmtp:\(type + 1) apt=\(type)
            m=application 9 UDP/DTLS/SCTP webrtc-datachannel
            c=IN IP4 0.0.0.0
            a=ice-ufrag:lwUf
            a=ice-pwd:libwebrtcPasswordIsHere0
            a=ice-options:trickle
            a=fingerprint:\(Descriptions.fingerprint)
            a=setup:active
            a=mid:1
            a=sctp-port:5000
            a=max-message-size:262144
            """)
        try host.negotiation.setRemote(answer: answer)
        let agreement = try #require(host.negotiation.agreement)
        let media = try #require(agreement.media(video))
        #expect(media.codecs.map(\.codec.encoding) == ["H264"])
        #expect(media.codecs.first?.h264?.sendLevel.idc == 31)
        #expect(media.codecs.first?.sendRetransmissionType?.rawValue == type + 1)
        #expect(media.direction == .sendonly && media.extensions.map(\.uri) == [MediaIDExtension.uri])
        #expect(agreement.transport?.role == .server && agreement.transport?.isControlling == true)
        #expect(agreement.data?.mid == "1")
    }

    /// The answerer may use different payload types for what it receives (RFC 3264 section 6.1).
    @Test func answersMayRenumber() throws {
        var host = Peer("host")
        try host.negotiation.addTrack(.video, host.stream())
        var peer = Peer("peer")
        let answer = try peer.answer(try host.offer())
        let types = answer.media[0].formats
        var text = String(decoding: answer.serialised(), as: UTF8.self)
        let theirs = try #require(UInt8(types[0]))
        text = text.replacing("SAVPF \(theirs) ", with: "SAVPF 77 ").replacing("rtpmap:\(theirs) ", with: "rtpmap:77 ")
            .replacing("fmtp:\(theirs) ", with: "fmtp:77 ").replacing("rtcp-fb:\(theirs) ", with: "rtcp-fb:77 ")
            .replacing("apt=\(theirs)\r\n", with: "apt=77\r\n")
        try host.negotiation.setRemote(answer: try SessionDescription(parsing: Array(text.utf8)))
        let codec = try #require(host.negotiation.agreement?.media.first?.codecs.first)
        #expect(codec.sendPayloadType.rawValue == 77)
        #expect(codec.receivePayloadType.rawValue == theirs)
        #expect(codec.receiveRetransmissionType != nil)
    }

    /// An offer without a BUNDLE group: one section is accepted, the first usable one.
    @Test func withoutBundle() throws {
        let text = Descriptions.chromium.replacing("a=group:BUNDLE 0 1 2\n", with: "")
        var host = Peer("host")
        let answer = try host.answer(try Descriptions.session(text))
        #expect(answer.media.map(\.port) == [9, 0, 0])
        #expect(bundle(answer) == nil)
        #expect(host.negotiation.agreement?.refused.map(\.reason) == [.notBundled, .notBundled])
        #expect(host.negotiation.agreement?.transport?.mids == ["0"])
        // A repeated offer keeps the same section, even if another is usable.
        let again = try host.answer(try Descriptions.session(text))
        #expect(again.media.map(\.port) == [9, 0, 0])
    }
}
