import HelioCore
import HelioPeer
import HelioSDP
import Testing

/// FlexFEC in offers and answers, in libwebrtc's form.
struct ParityNegotiationTests {
    private static func peer(_ name: String, _ parity: ParityScheme = .flexFEC) -> Peer {
        var configuration = NegotiationConfiguration(sessionID: 1, cname: name, codecs: RTPCodec.standard)
        configuration.parity = parity
        return Peer(name, configuration)
    }

    private static func stream(_ peer: inout Peer) -> SendingStream {
        var stream = peer.stream()
        stream.paritySSRC = SSRC(77)
        return stream
    }

    /// The Chromium offer of `Descriptions`, with FlexFEC, which Chromium lists in receive-only sections.
    private static func chromium() throws -> SessionDescription {
        let text = Descriptions.chromium.replacing("35 36 114 115 116\n", with: "35 36 114 115 116 49\n")
        return try Descriptions.session(
            text, replacing: "a=rtpmap:116 ulpfec/90000\n",
            with: """
                a=rtpmap:116 ulpfec/90000
                a=rtpmap:49 flexfec-03/90000
                a=rtcp-fb:49 goog-remb
                a=rtcp-fb:49 transport-cc
                a=fmtp:49 repair-window=10000000

                """)
    }

    private func lines(_ session: SessionDescription) -> [String] {
        String(decoding: session.serialised(), as: UTF8.self).split(whereSeparator: \.isNewline).map(String.init)
    }

    @Test func chromiumIsAnswered() throws {
        var host = Self.peer("host")
        let stream = Self.stream(&host)
        let id = try host.negotiation.addTrack(.video, stream, receives: false)
        let answer = try host.answer(try Self.chromium())
        let media = try #require(host.negotiation.agreement?.media(id))
        #expect(media.parity?.sendPayloadType == PayloadType(49) && media.parity?.receivePayloadType == PayloadType(49))
        #expect(media.codecs.map(\.sendPayloadType.rawValue) == [39, 112, 127, 106])
        #expect(answer.media[0].formats.last == "49")
        let ssrc = stream.ssrc.rawValue
        let lines = lines(answer)
        for line in [
            "a=rtpmap:49 flexfec-03/90000", "a=fmtp:49 repair-window=10000000", "a=rtcp-fb:49 transport-cc",
            "a=ssrc-group:FID \(ssrc) \(ssrc + 1)", "a=ssrc-group:FEC-FR \(ssrc) 77", "a=ssrc:77 cname:host",
        ] {
            #expect(lines.filter { $0 == line }.count == 1, "\(line)")
        }
        #expect(!answer.media[1].formats.contains("49"))
    }

    @Test(arguments: [(true, ParityScheme.none), (false, .flexFEC)])
    func whoDoesNotListItGetsNone(isListed: Bool, own: ParityScheme) throws {
        var host = Self.peer("host", own)
        let id = try host.negotiation.addTrack(.video, Self.stream(&host), receives: false)
        let answer = try host.answer(isListed ? Self.chromium() : Descriptions.session(Descriptions.chromium))
        #expect(try #require(host.negotiation.agreement?.media(id)).parity == nil)
        #expect(!lines(answer).contains { $0.contains("flexfec") || $0.contains("FEC-FR") || $0.contains("ssrc:77") })
    }

    @Test func anOfferNamesIt() throws {
        var host = Self.peer("host")
        var viewer = Self.peer("viewer")
        let stream = Self.stream(&host)
        let id = try host.negotiation.addTrack(.video, stream, receives: false)
        try host.negotiation.addTrack(.audio, host.stream())
        let offer = try host.offer()
        let type = try #require(offer.media[0].formats.last)
        #expect(lines(offer).contains("a=rtpmap:\(type) flexfec-03/90000"))
        #expect(lines(offer).contains("a=ssrc-group:FEC-FR \(stream.ssrc.rawValue) 77"))
        #expect(Set(offer.media[0].formats).count == offer.media[0].formats.count)
        #expect(!offer.media[1].formats.contains(type))
        try host.negotiation.setRemote(answer: try viewer.answer(offer))
        let sent = try #require(host.negotiation.agreement?.media(id)?.parity)
        let seen = try #require(viewer.negotiation.agreement?.media.first)
        #expect(String(sent.sendPayloadType.rawValue) == type && sent == seen.parity)
        #expect(seen.remote.parities == [stream.ssrc: SSRC(77)])
        #expect(seen.remote.retransmissions == [stream.ssrc: stream.retransmissionSSRC])

        // Its payload type stays, whoever makes the next offer.
        try viewer.negotiation.addTrack(.audio, viewer.stream())
        try viewer.exchange(with: &host)
        #expect(host.negotiation.agreement?.media(id)?.parity == sent)
        try host.exchange(with: &viewer)
        #expect(host.negotiation.agreement?.media(id)?.parity == sent)
    }

    @Test func anAnswerWithoutItEndsIt() throws {
        var host = Self.peer("host")
        var viewer = Self.peer("viewer", .none)
        let id = try host.negotiation.addTrack(.video, Self.stream(&host), receives: false)
        try host.exchange(with: &viewer)
        #expect(try #require(host.negotiation.agreement?.media(id)).parity == nil)
        #expect(try #require(viewer.negotiation.agreement?.media.first).parity == nil)
    }

    @Test func itsNumberKeepsItsMeaning() throws {
        var host = Self.peer("host")
        try host.negotiation.addTrack(.video, Self.stream(&host), receives: false)
        _ = try host.answer(try Self.chromium())
        let other = try Descriptions.session(
            Descriptions.chromium.replacing("35 36 114 115 116\n", with: "35 36 114 115 116 49\n"),
            replacing: "a=rtpmap:116 ulpfec/90000\n", with: "a=rtpmap:116 ulpfec/90000\na=rtpmap:49 H266/90000\n")
        #expect(throws: NegotiationError.payloadTypeChanged(section: 0, payloadType: 49)) {
            try host.negotiation.setRemote(offer: other)
        }
    }
}
