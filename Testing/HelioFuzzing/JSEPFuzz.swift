import HelioCore
import HelioPeer
import HelioSDP

/// Fuzzes SDP negotiation, with any bytes as the peer's offer and as the answer to this end's offer. A rejected
/// description must change nothing; the answer to an accepted offer must be parsed to the same description.
package enum JSEPFuzz {
    package static func run(_ bytes: [UInt8]) {
        guard let session = try? SessionDescription(parsing: bytes) else { return }
        offer(session)
        answer(session)
    }

    private static func offer(_ session: SessionDescription) {
        var fresh = negotiation(1)
        guard (try? fresh.setRemote(offer: session)) != nil else {
            precondition(fresh.state == .stable && fresh.transceivers.isEmpty, "a refused offer left something")
            return
        }
        var rolledBack = fresh
        try! rolledBack.rollback()
        precondition(rolledBack.state == .stable && rolledBack.transceivers.isEmpty, "rolled back, but not all of it")

        let answer = try! fresh.createAnswer(transport("A"))
        try! fresh.setLocal(answer)
        checkAgreement(fresh, sections: session.media.count)
        // This end's answer must survive a round trip.
        let again = try! SessionDescription(parsing: answer.session.serialised())
        precondition(again == answer.session, "own answer is read as another")
        precondition(again.media.count == session.media.count, "an answer has the sections of its offer")

        // The same offer again must not restart ICE, and a new offer of this end must keep all sections.
        try! fresh.setRemote(offer: session)
        try! fresh.setLocal(try! fresh.createAnswer(transport("A")))
        precondition(fresh.agreement?.transport?.isICERestart != true, "a repeated offer restarts nothing")
        try! fresh.addTrack(.video, SendingStream(ssrc: SSRC(1), retransmissionSSRC: SSRC(2), paritySSRC: SSRC(3)))
        if let next = try? fresh.createOffer(transport("A")) {
            precondition(next.session.media.count >= session.media.count, "an offer lost a section")
            precondition(
                (try? SessionDescription(parsing: next.session.serialised())) == next.session, "own offer not read")
        }
    }

    private static func answer(_ session: SessionDescription) {
        var offerer = negotiation(2)
        try! offerer.addTrack(.video, SendingStream(ssrc: SSRC(1), retransmissionSSRC: SSRC(2), paritySSRC: SSRC(3)))
        try! offerer.addTransceiver(.audio, .recvonly)
        offerer.openData()
        try! offerer.setLocal(try! offerer.createOffer(transport("B")))
        guard (try? offerer.setRemote(answer: session)) != nil else {
            precondition(
                offerer.state == .haveLocalOffer && offerer.agreement == nil, "a refused answer left something")
            return
        }
        checkAgreement(offerer, sections: session.media.count)
    }

    private static func checkAgreement(_ negotiation: Negotiation, sections: Int) {
        guard negotiation.state == .stable, let agreement = negotiation.agreement else {
            preconditionFailure("an answer was set, but nothing is agreed on")
        }
        let live = agreement.media.count + (agreement.data == nil ? 0 : 1)
        precondition(live + agreement.refused.count == sections, "a section is neither taken up nor refused")
        precondition((agreement.transport == nil) == (live == 0), "sections without a transport, or the reverse")
        for media in agreement.media {
            precondition(!media.codecs.isEmpty, "a section without a codec")
            precondition(
                Set(media.codecs.map(\.receivePayloadType)).count == media.codecs.count, "two codecs, one number")
            precondition(
                media.codecs.allSatisfy { $0.sendPayloadType != media.parity?.sendPayloadType }, "parity for a codec")
            precondition(negotiation.transceiver(media.transceiver) != nil, "a section without a transceiver")
        }
        if let transport = agreement.transport {
            precondition(!transport.remoteFingerprints.isEmpty && transport.remoteFingerprints.allSatisfy(\.isStrong))
        }
    }

    private static func negotiation(_ id: UInt64) -> Negotiation {
        var configuration = NegotiationConfiguration(sessionID: id, cname: "fuzz")
        configuration.parity = .flexFEC
        return Negotiation(configuration)
    }

    private static func transport(_ name: String) -> LocalTransport {
        let fingerprint = CertificateFingerprint(hash: "sha-256", bytes: [UInt8](repeating: 7, count: 32))
        return LocalTransport(
            usernameFragment: ICEUsernameFragment(name + "ufr")!,
            password: ICEPassword(name + "passwordpasswordpassword")!,
            fingerprints: [fingerprint!])
    }
}
