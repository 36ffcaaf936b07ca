import HelioCore
import HelioPeer
import HelioSDP
import Testing

/// Descriptions that are rejected, the reported errors, and that the state stays unchanged.
struct HostileDescriptionTests {
    struct Change: CustomTestStringConvertible {
        var line: String
        var other: String
        var error: NegotiationError
        init(_ line: String, _ other: String, _ error: NegotiationError) {
            self.line = line
            self.other = other
            self.error = error
        }
        var testDescription: String { "\(other.debugDescription): \(error)" }
    }

    @Test(arguments: [
        Change("a=mid:1\n", "a=mid:0\n", .duplicateMediaID(section: 1)),
        Change("BUNDLE 0 1 2", "BUNDLE 0 1 2 3", .unknownMediaIDInBundle),
        Change("a=ice-ufrag:CrUf\n", "", .missing(attribute: "ice-ufrag", section: 0)),
        Change("a=ice-ufrag:CrUf\n", "a=ice-ufrag:Cr?f\n", .missing(attribute: "ice-ufrag", section: 0)),
        Change("a=ice-pwd:chromiumPasswordOf24Char\n", "a=ice-pwd:short\n", .missing(attribute: "ice-pwd", section: 0)),
        Change("a=fingerprint:\(Descriptions.fingerprint)\n", "", .missing(attribute: "fingerprint", section: 0)),
        Change(
            "a=fingerprint:\(Descriptions.fingerprint)\n",
            "a=fingerprint:sha-1 \(Array(repeating: "7E", count: 20).joined(separator: ":"))\n",
            .weakFingerprint(section: 0)),
        Change("a=setup:actpass\n", "", .missing(attribute: "setup", section: 0)),
        Change("a=setup:actpass\n", "a=setup:holdconn\n", .setupConflict(section: 0)),
        Change("a=extmap:3 urn:3gpp", "a=extmap:2 urn:3gpp", .extensionCollision(section: 0, id: 2)),
    ])
    func offers(_ change: Change) throws {
        var host = Peer("host")
        try host.negotiation.addTrack(.video, host.stream())
        let before = host.negotiation.transceivers
        let offer = try Descriptions.session(Descriptions.chromium, replacing: change.line, with: change.other)
        #expect(throws: change.error) { try host.negotiation.setRemote(offer: offer) }
        #expect(host.negotiation.state == .stable && host.negotiation.transceivers == before)
        // A valid offer is accepted afterwards.
        _ = try host.answer(try Descriptions.session(Descriptions.chromium))
    }

    @Test("a header extension's number that means another one in a later section is left out there: aiortc's do")
    func oneExtensionNumberForTwo() throws {
        var host = Peer("host")
        try host.negotiation.addTrack(.video, host.stream())
        let offer = try Descriptions.session(
            Descriptions.chromium, replacing: "a=extmap:14 urn", with: "a=extmap:3 urn")
        let answer = try host.answer(offer)
        for section in answer.media {
            let maps = section.attributes.values(of: ExtensionMap.self)
            #expect(Set(maps.map(\.id)).count == maps.count)
        }
        let meanings = answer.media.flatMap { $0.attributes.values(of: ExtensionMap.self) }.filter { $0.id == 3 }
        #expect(Set(meanings.map(\.uri)).count == 1)
    }

    @Test func onePayloadTypeForTwoCodecs() throws {
        let text = Descriptions.chromium.replacing("SAVPF 111 63", with: "SAVPF 106 63")
            .replacing("a=rtpmap:111 opus", with: "a=rtpmap:106 opus")
        var host = Peer("host")
        let error = NegotiationError.payloadTypeCollision(section: 1, payloadType: 106)
        #expect(throws: error) { try host.negotiation.setRemote(offer: try Descriptions.session(text)) }
    }

    /// Unsupported sections are rejected one by one; the others are accepted.
    @Test(arguments: [
        ("m=audio", "m=hologram", RefusedSection.Reason.unknownMedia),
        ("m=audio 9 UDP/TLS/RTP/SAVPF", "m=audio 9 RTP/AVP", .unknownProtocol),
        ("m=audio 9", "m=audio 0", .refusedByPeer), ("opus/48000/2", "opus/48000", .noCommonCodec),
        ("m=application 9 UDP/DTLS/SCTP webrtc-datachannel", "m=application 9 DTLS/SCTP 5000", .unknownProtocol),
        ("BUNDLE 0 1 2", "BUNDLE 0 2", .notBundled),
    ])
    func sections(line: String, other: String, reason: RefusedSection.Reason) throws {
        var host = Peer("host")
        let answer = try host.answer(
            try Descriptions.session(Descriptions.chromium, replacing: line, with: other))
        let agreement = try #require(host.negotiation.agreement)
        let refused = try #require(agreement.refused.first)
        #expect(agreement.refused.count == 1 && refused.reason == reason)
        #expect(answer.media[refused.section].port == 0)
        #expect(answer.media.filter { $0.port == 9 }.count == 2)
        #expect(answer.attributes.first(MediaGroup.self)?.names.contains(refused.mid ?? "") == false)
    }

    @Test func withoutMultiplexing() throws {
        var host = Peer("host")
        let answer = try host.answer(
            try Descriptions.session(Descriptions.chromium, replacing: "a=rtcp-mux\n", with: ""))
        #expect(answer.media.map(\.port) == [0, 0, 9])
        #expect(host.negotiation.agreement?.refused.map(\.reason) == [.notMultiplexed, .notMultiplexed])
    }

    @Test func aTrackWhoseSectionIsRefusedStays() throws {
        var host = Peer("host")
        let id = try host.negotiation.addTrack(.video, host.stream())
        let text = Descriptions.chromium.replacing("H264/90000", with: "H266/90000")
        let answer = try host.answer(try Descriptions.session(text))
        #expect(answer.media.map(\.port) == [0, 9, 9])
        // The transceiver waits for a usable section, which reuses the rejected one's place.
        #expect(host.negotiation.transceiver(id)?.mid == nil)
        #expect(host.negotiation.needsNegotiation)
        #expect(try host.offer().media[0].kind == .video)
    }

    @Test func namesInABundleCountOnce() throws {
        var host = Peer("host")
        let text = Descriptions.chromium.replacing("BUNDLE 0 1 2", with: "BUNDLE 2 2 0 1 0 1")
        let answer = try host.answer(try Descriptions.session(text))
        #expect(answer.attributes.first(MediaGroup.self)?.names == ["2", "0", "1"])
    }

    @Test func everythingRefused() throws {
        var host = Peer("host")
        let text = Descriptions.chromium.replacing("m=video 9", with: "m=video 0").replacing(
            "m=audio 9", with: "m=audio 0"
        )
        .replacing("m=application 9", with: "m=application 0")
        let answer = try host.answer(try Descriptions.session(text))
        #expect(answer.media.allSatisfy { $0.port == 0 })
        #expect(answer.attributes.first(MediaGroup.self) == nil)
        #expect(host.negotiation.agreement?.transport == nil)
        #expect(host.negotiation.transceivers.isEmpty)
    }

    /// Each change is applied to a valid answer of this stack.
    @Test(arguments: [
        Change("a=setup:active", "a=setup:actpass", .setupConflict(section: 0)),
        Change("a=setup:active\r\n", "", .missing(attribute: "setup", section: 0)),
        Change("a=mid:0\r\n", "a=mid:7\r\n", .unknownMediaIDInBundle),
        Change("a=rtcp-mux\r\n", "", .notMultiplexed(section: 0)),
        Change("BUNDLE 0 1", "BUNDLE 0", .notBundled(section: 1)),
        Change("H264/90000", "VP8/90000", .noCommonCodec(section: 0)),
        Change("UDP/TLS/RTP/SAVPF", "RTP/AVP", .sectionChanged(section: 0)),
        Change("m=video", "m=audio", .sectionChanged(section: 0)),
        Change("webrtc-datachannel", "other", .sectionChanged(section: 1)),
        Change("a=ice-ufrag:peerfragment0\r\n", "", .missing(attribute: "ice-ufrag", section: 0)),
        Change("a=fingerprint:sha-256", "a=fingerprint:sha-0", .weakFingerprint(section: 0)),
        Change("m=application", "m=audio 0 RTP/AVP 0\r\nm=application", .sectionCount(expected: 2, found: 3)),
    ])
    func answers(_ change: Change) throws {
        var host = Peer("host")
        var peer = Peer("peer")
        try host.negotiation.addTrack(.video, host.stream())
        host.negotiation.openData()
        let good = try peer.answer(try host.offer())
        let text = String(decoding: good.serialised(), as: UTF8.self)
        #expect(text.contains(change.line))
        let bad = try SessionDescription(parsing: Array(text.replacing(change.line, with: change.other).utf8))
        #expect(throws: change.error) { try host.negotiation.setRemote(answer: bad) }
        #expect(host.negotiation.state == .haveLocalOffer && host.negotiation.agreement == nil)
        try host.negotiation.setRemote(answer: good)
        try expectAgreement(host, peer)
    }

    @Test func laterOffersKeepWhatThereIs() throws {
        func answered() throws -> Peer {
            var host = Peer("host")
            _ = try host.answer(try Descriptions.session(Descriptions.chromium))
            return host
        }
        func refused(_ text: String, _ error: NegotiationError) throws {
            var host = try answered()
            #expect(throws: error) { try host.negotiation.setRemote(offer: try Descriptions.session(text)) }
            #expect(host.negotiation.state == .stable)
        }
        let text = Descriptions.chromium
        let end = try #require(text.firstRange(of: "m=application"))
        try refused(
            String(text[..<end.lowerBound]).replacing("BUNDLE 0 1 2", with: "BUNDLE 0 1"),
            .sectionCount(expected: 3, found: 2))
        try refused(
            text.replacing("a=mid:1\n", with: "a=mid:5\n").replacing("BUNDLE 0 1 2", with: "BUNDLE 0 5 2"),
            .sectionChanged(section: 1))
        try refused(
            text.replacing("profile-level-id=42e01f", with: "profile-level-id=42001f"),
            .payloadTypeChanged(section: 0, payloadType: 106))
    }

    @Test func errorsSayWhatIsWrongAndNothingElse() {
        #expect(
            "\(NegotiationError.missing(attribute: "ice-pwd", section: 2))" == "media section 2 has no usable a=ice-pwd"
        )
        #expect("\(NegotiationError.wrongState(.haveLocalOffer))".contains("have-local-offer"))
        #expect("\(NegotiationError.sectionCount(expected: 3, found: 2))".contains("2 media sections where 3"))
    }
}
