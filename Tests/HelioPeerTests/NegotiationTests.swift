import HelioCore
import HelioPeer
import HelioSDP
import Testing

/// The negotiation's state machine, between two Heliograph ends.
struct NegotiationTests {
    @Test func firstExchange() throws {
        var a = Peer("alice")
        var b = Peer("bob")
        try a.negotiation.addTrack(.video, a.stream(), receives: false)
        a.negotiation.openData()
        #expect(a.negotiation.needsNegotiation)
        let offer = try a.offer()
        #expect(a.negotiation.state == .haveLocalOffer && !a.negotiation.needsNegotiation)
        #expect(offer.media.map(\.kind) == [.video, .application])
        #expect(offer.media.allSatisfy { $0.attributes.first(SetupRole.self) == .either })
        #expect(offer.media[0].attributes.first(SourceGroup.self)?.sources.count == 2)
        let answer = try b.answer(offer)
        try a.negotiation.setRemote(answer: answer)
        try expectAgreement(a, b)
        #expect(!a.negotiation.needsNegotiation && !b.negotiation.needsNegotiation)
        #expect(b.negotiation.agreement?.media.first?.direction == .recvonly)
        #expect(a.negotiation.agreement?.transport?.role == .server)
    }

    /// RFC 8840 section 4.1 and RFC 8445 section 10 apply to offers and answers alike.
    @Test func whatDescriptionsSayOfICE() throws {
        var a = Peer("alice")
        var b = Peer("bob")
        a.negotiation.openData()
        let offer = try a.offer()
        let answer = try b.answer(offer)
        for description in [offer, answer] {
            #expect(description.attributes.first(ICEOptions.self) == ICEOptions(["trickle", "ice2"]))
        }
    }

    @Test func audioComesLater() throws {
        var a = Peer("alice")
        var b = Peer("bob")
        let video = try a.negotiation.addTrack(.video, a.stream(), receives: false)
        a.negotiation.openData()
        try a.exchange(with: &b)
        let before = try #require(a.negotiation.agreement)

        try a.negotiation.addTrack(.audio, a.stream(), receives: false)
        #expect(a.negotiation.needsNegotiation)
        try a.exchange(with: &b)
        try expectAgreement(a, b)
        let after = try #require(a.negotiation.agreement)
        #expect(after.media.map(\.kind) == [.video, .audio])
        #expect(after.media.map(\.section) == [0, 2])
        // The video is unaffected: same payload types, transport and DTLS association.
        #expect(after.media(video) == before.media(video))
        #expect(after.transport?.isICERestart == false && after.transport?.isNewDTLSAssociation == false)
        #expect(after.transport?.role == before.transport?.role)
        #expect(!a.negotiation.needsNegotiation)
    }

    /// The other end adds audio: roles and payload types stay, although the other end makes the offer.
    @Test func theOtherEndAddsAudio() throws {
        var a = Peer("alice")
        var b = Peer("bob")
        let video = try a.negotiation.addTrack(.video, a.stream(), receives: false)
        try a.exchange(with: &b)
        let before = try #require(a.negotiation.agreement)
        try b.negotiation.addTrack(.audio, b.stream())
        try b.exchange(with: &a)
        try expectAgreement(a, b)
        let after = try #require(a.negotiation.agreement)
        #expect(after.media(video)?.codecs == before.media(video)?.codecs)
        #expect(after.media(video)?.extensions == before.media(video)?.extensions)
        #expect(after.transport?.role == before.transport?.role)
        #expect(after.transport?.isControlling == true)
        #expect(after.media.last?.direction == .recvonly)
        // The first end replies in kind: the idle transceiver is reused.
        try a.negotiation.addTrack(.audio, a.stream())
        #expect(a.negotiation.transceivers.count == 2 && a.negotiation.needsNegotiation)
        try a.exchange(with: &b)
        try expectAgreement(a, b)
        #expect(a.negotiation.agreement?.media.last?.direction == .sendrecv)
    }

    @Test func anAnswerGivesWhatWasAsked() throws {
        var viewer = Peer("viewer")
        var host = Peer("host")
        try viewer.negotiation.addTransceiver(.video, .recvonly)
        let screen = try host.negotiation.addTrack(.video, host.stream())
        // A transceiver added without a track is not associated with an offer's section: it needs one of its own.
        try host.negotiation.addTransceiver(.video, .recvonly)
        try viewer.exchange(with: &host)
        try expectAgreement(viewer, host)
        #expect(host.negotiation.agreement?.media.map(\.transceiver) == [screen])
        #expect(host.negotiation.agreement?.media.first?.direction == .sendonly)
        #expect(host.negotiation.needsNegotiation)
        try host.exchange(with: &viewer)
        try expectAgreement(viewer, host)
        #expect(host.negotiation.agreement?.media.count == 2)
    }

    @Test func glare() throws {
        var polite = Peer("polite")
        var other = Peer("other")
        polite.negotiation.openData()
        try polite.exchange(with: &other)

        // Both ends add something at once, and make offers.
        let video = try polite.negotiation.addTrack(.video, polite.stream(), receives: false)
        try other.negotiation.addTrack(.audio, other.stream(), receives: false)
        let mine = try polite.offer()
        let theirs = try other.offer()
        #expect(throws: NegotiationError.wrongState(.haveLocalOffer)) {
            try polite.negotiation.setRemote(offer: theirs)
        }
        #expect(throws: NegotiationError.wrongState(.haveLocalOffer)) { try other.negotiation.setRemote(offer: mine) }

        try polite.negotiation.rollback()
        #expect(polite.negotiation.state == .stable && polite.negotiation.transceiver(video)?.mid == nil)
        let answer = try polite.answer(theirs)
        try other.negotiation.setRemote(answer: answer)
        try expectAgreement(polite, other)
        #expect(polite.negotiation.agreement?.media.map(\.kind) == [.audio])
        // The rolled-back change is still pending.
        #expect(polite.negotiation.needsNegotiation)
        try polite.exchange(with: &other)
        try expectAgreement(polite, other)
        #expect(polite.negotiation.agreement?.media.map(\.kind) == [.audio, .video])
        #expect(polite.negotiation.agreement?.media.map(\.section) == [1, 2])
    }

    @Test func anOfferOfThePeersIsRolledBack() throws {
        var a = Peer("alice")
        var b = Peer("bob")
        try a.negotiation.addTrack(.video, a.stream())
        try a.negotiation.addTrack(.audio, a.stream())
        let claimed = try b.negotiation.addTrack(.video, b.stream())
        try b.negotiation.setRemote(offer: try a.offer())
        #expect(b.negotiation.state == .haveRemoteOffer)
        #expect(b.negotiation.transceivers.map(\.mid) == ["0", "1"])
        try b.negotiation.rollback()
        #expect(b.negotiation.transceivers.map(\.id) == [claimed])
        #expect(b.negotiation.transceivers.map(\.mid) == [nil] && b.negotiation.agreement == nil)
        #expect(throws: NegotiationError.wrongState(.stable)) { try b.negotiation.rollback() }
        // A transceiver made by an offer outlives its rollback if it was given a track meanwhile.
        var other = Peer("carol")
        try other.negotiation.addTrack(.audio, other.stream())
        try b.negotiation.setRemote(offer: try other.offer())
        let kept = try b.negotiation.addTrack(.audio, b.stream())
        try b.negotiation.rollback()
        #expect(b.negotiation.transceivers.map(\.id) == [claimed, kept])
    }

    @Test func stoppedSectionsMakeRoom() throws {
        var a = Peer("alice")
        var b = Peer("bob")
        let video = try a.negotiation.addTrack(.video, a.stream())
        let audio = try a.negotiation.addTrack(.audio, a.stream())
        try a.exchange(with: &b)

        try a.negotiation.stop(video)
        #expect(throws: NegotiationError.noSuchTransceiver) { try a.negotiation.stop(video) }
        // A new transceiver does not reuse the section before the peer knows that it is stopped.
        try a.negotiation.addTransceiver(.video, .recvonly)
        try a.exchange(with: &b)
        try expectAgreement(a, b)
        #expect(a.negotiation.agreement?.refused.map(\.reason) == [.stopped])
        #expect(b.negotiation.agreement?.refused.map(\.reason) == [.refusedByPeer])
        #expect(a.negotiation.agreement?.media.map(\.section) == [1, 2])
        #expect(a.negotiation.transceiver(video) == nil && b.negotiation.transceivers.count == 2)
        // The BUNDLE group has another first section now; the transport continues.
        #expect(a.negotiation.agreement?.transport?.isNewDTLSAssociation == false)

        let next = try a.negotiation.addTransceiver(.audio, .recvonly)
        try a.exchange(with: &b)
        try expectAgreement(a, b)
        #expect(a.negotiation.agreement?.media(next)?.section == 0)
        #expect(a.negotiation.agreement?.media(next)?.mid == "3")
        #expect(a.negotiation.agreement?.media(audio)?.section == 1)
    }

    @Test func theAnswererStops() throws {
        var a = Peer("alice")
        var b = Peer("bob")
        try a.negotiation.addTrack(.video, a.stream())
        try a.exchange(with: &b)
        let theirs = try #require(b.negotiation.transceivers.first?.id)
        try b.negotiation.stop(theirs)
        #expect(b.negotiation.needsNegotiation)
        a.negotiation.openData()
        try a.exchange(with: &b)
        try expectAgreement(a, b)
        #expect(a.negotiation.transceivers.isEmpty && b.negotiation.transceivers.isEmpty)
        #expect(a.negotiation.agreement?.refused.map(\.reason) == [.refusedByPeer])
        #expect(b.negotiation.agreement?.refused.map(\.reason) == [.stopped])
    }

    @Test func directionsChange() throws {
        var a = Peer("alice")
        var b = Peer("bob")
        let video = try a.negotiation.addTrack(.video, a.stream())
        try b.negotiation.addTrack(.video, b.stream())
        try a.exchange(with: &b)
        #expect(a.negotiation.agreement?.media(video)?.direction == .sendrecv)
        for direction in [MediaDirection.sendonly, .inactive, .recvonly, .sendrecv] {
            try a.negotiation.setDirection(video, direction)
            #expect(a.negotiation.needsNegotiation)
            try a.exchange(with: &b)
            try expectAgreement(a, b)
            #expect(a.negotiation.agreement?.media(video)?.direction == direction)
            #expect(!a.negotiation.needsNegotiation && !b.negotiation.needsNegotiation)
        }
    }

    @Test func iceRestarts() throws {
        var a = Peer("alice")
        var b = Peer("bob")
        try a.negotiation.addTrack(.video, a.stream())
        try a.exchange(with: &b)
        a.transport = Peer.transport("alice", generation: 1)
        let offer = try a.offer()
        try b.negotiation.setRemote(offer: offer)
        #expect(b.negotiation.isRestartOffered)
        #expect(throws: NegotiationError.restartNeedsNewCredentials) { try b.negotiation.createAnswer(b.transport) }
        b.transport = Peer.transport("bob", generation: 1)
        let answer = try b.negotiation.createAnswer(b.transport)
        try b.negotiation.setLocal(answer)
        try a.negotiation.setRemote(answer: answer.session)
        try expectAgreement(a, b)
        #expect(a.negotiation.agreement?.transport?.isICERestart == true)
        #expect(a.negotiation.agreement?.transport?.isNewDTLSAssociation == false)
        // Without a restart, an answer must keep its credentials.
        try b.negotiation.setRemote(offer: try a.offer())
        #expect(!b.negotiation.isRestartOffered)
        #expect(throws: NegotiationError.credentialsChangedWithoutRestart) {
            try b.negotiation.createAnswer(Peer.transport("bob", generation: 2))
        }
    }

    @Test func dtlsRoles() throws {
        var configuration = NegotiationConfiguration(sessionID: 1, cname: "b")
        configuration.prefersPassive = true
        var a = Peer("alice")
        var b = Peer("bob", configuration)
        a.negotiation.openData()
        try a.exchange(with: &b)
        try expectAgreement(a, b)
        #expect(a.negotiation.agreement?.transport?.role == .client)
        // The role stays when the other end offers, although it would prefer the client role.
        try b.exchange(with: &a)
        try expectAgreement(a, b)
        #expect(a.negotiation.agreement?.transport?.role == .client)
        // Another certificate: a new handshake, with the roles that this answerer prefers.
        b.transport.fingerprints = Peer.transport("carol", generation: 0).fingerprints
        try b.exchange(with: &a)
        try expectAgreement(a, b)
        #expect(a.negotiation.agreement?.transport?.isNewDTLSAssociation == true)
    }

    @Test func liteEndsAreControlled() throws {
        var lite = Peer("lite")
        var full = Peer("full")
        lite.transport.isLite = true
        lite.transport.isGatheringComplete = true
        lite.transport.candidates = [CandidateLine("1 1 UDP 1 192.0.2.1 9 typ host")]
        lite.negotiation.openData()
        try lite.exchange(with: &full)
        try expectAgreement(lite, full)
        #expect(full.negotiation.agreement?.transport?.isControlling == true)
        #expect(full.negotiation.agreement?.transport?.isRemoteLite == true)
        #expect(full.negotiation.agreement?.transport?.remoteCandidates.count == 1)
    }

    @Test func misuseIsRefused() throws {
        var a = Peer("alice")
        var b = Peer("bob")
        #expect(throws: NegotiationError.wrongState(.stable)) { try a.negotiation.createAnswer(a.transport) }
        let id = try a.negotiation.addTrack(.video, a.stream())
        let offer = try a.negotiation.createOffer(a.transport)
        try a.negotiation.setDirection(id, .sendonly)
        #expect(throws: NegotiationError.stale) { try a.negotiation.setLocal(offer) }
        #expect(throws: NegotiationError.noLocalCodec) { try a.negotiation.addTransceiver(.application, .sendrecv) }
        var bare = a.transport
        bare.fingerprints = []
        #expect(throws: NegotiationError.noLocalFingerprint) { try a.negotiation.createOffer(bare) }
        let sent = try a.offer()
        #expect(throws: NegotiationError.wrongState(.haveLocalOffer)) { try a.negotiation.createOffer(a.transport) }
        #expect(throws: NegotiationError.wrongState(.stable)) { try b.negotiation.setRemote(answer: sent) }
        #expect(throws: NegotiationError.tooMany) {
            for _ in 0...64 { try b.negotiation.addTransceiver(.audio, .recvonly) }
        }
        // A transceiver that is stopped before it was offered is removed at once.
        var c = Peer("carol")
        let gone = try c.negotiation.addTrack(.audio, c.stream())
        try c.negotiation.stop(gone)
        #expect(c.negotiation.transceivers.isEmpty && !c.negotiation.needsNegotiation)
    }

    @Test func dataThatIsRefusedIsNotAskedForAgain() throws {
        var silent = NegotiationConfiguration(sessionID: 1, cname: "silent")
        silent.maximumMessageSize = nil
        var a = Peer("alice")
        var b = Peer("bob", silent)
        a.negotiation.openData()
        try a.negotiation.addTrack(.audio, a.stream())
        try a.exchange(with: &b)
        try expectAgreement(a, b)
        #expect(b.negotiation.agreement?.refused.map(\.reason) == [.dataNotWanted])
        #expect(a.negotiation.agreement?.data == nil && !a.negotiation.needsNegotiation)
        a.negotiation.openData()
        #expect(a.negotiation.needsNegotiation)
    }

    @Test func passwordsReachNoText() throws {
        var a = Peer("alice")
        a.negotiation.openData()
        let offer = try a.negotiation.createOffer(a.transport)
        try a.negotiation.setLocal(offer)
        for text in [
            "\(offer.session)", "\(a.transport)", "\(offer)", String(reflecting: a.negotiation), "\(a.negotiation)",
        ] {
            #expect(!text.contains("passwordpassword"))
        }
        #expect(String(decoding: offer.session.serialised(), as: UTF8.self).contains("a=ice-pwd:alicepassword"))
    }
}
