import HelioPeer
import HelioSDP
import Testing

/// Expects the two ends' agreements to be mirror images of each other.
func expectAgreement(_ a: Peer, _ b: Peer, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let one = try #require(a.negotiation.agreement, sourceLocation: sourceLocation)
    let two = try #require(b.negotiation.agreement, sourceLocation: sourceLocation)
    #expect(a.negotiation.state == .stable && b.negotiation.state == .stable, sourceLocation: sourceLocation)
    #expect(one.media.map(\.section) == two.media.map(\.section), sourceLocation: sourceLocation)
    #expect(one.refused.map(\.section) == two.refused.map(\.section), sourceLocation: sourceLocation)
    for (mine, theirs) in zip(one.media, two.media) {
        #expect(mine.mid == theirs.mid && mine.kind == theirs.kind, sourceLocation: sourceLocation)
        #expect(mine.direction == theirs.direction.reversed, sourceLocation: sourceLocation)
        #expect(
            mine.codecs.map(\.sendPayloadType) == theirs.codecs.map(\.receivePayloadType),
            sourceLocation: sourceLocation)
        #expect(
            mine.codecs.map(\.receivePayloadType) == theirs.codecs.map(\.sendPayloadType),
            sourceLocation: sourceLocation)
        #expect(
            mine.codecs.map(\.sendRetransmissionType) == theirs.codecs.map(\.receiveRetransmissionType),
            sourceLocation: sourceLocation)
        #expect(
            mine.codecs.map(\.codec.encoding) == theirs.codecs.map(\.codec.encoding), sourceLocation: sourceLocation)
        #expect(
            mine.codecs.map(\.h264?.sendLevel) == theirs.codecs.map(\.h264?.receiveLevel),
            sourceLocation: sourceLocation)
        #expect(
            mine.codecs.map(\.h264?.receiveLevel) == theirs.codecs.map(\.h264?.sendLevel),
            sourceLocation: sourceLocation)
        #expect(
            mine.codecs.map { Set($0.feedback) } == theirs.codecs.map { Set($0.feedback) },
            sourceLocation: sourceLocation)
        #expect(
            Set(mine.extensions.map { "\($0.id) \($0.uri) \($0.canSend) \($0.canReceive)" })
                == Set(theirs.extensions.map { "\($0.id) \($0.uri) \($0.canReceive) \($0.canSend)" }),
            sourceLocation: sourceLocation)
        for (view, sender) in [
            (theirs, a.negotiation.transceiver(mine.transceiver)),
            (mine, b.negotiation.transceiver(theirs.transceiver)),
        ] {
            let sender = try #require(sender, sourceLocation: sourceLocation)
            #expect(sender.mid == view.mid, sourceLocation: sourceLocation)
            #expect(sender.currentDirection == view.direction.reversed, sourceLocation: sourceLocation)
            if view.direction.receives {
                #expect(view.remote.sources.first == sender.sender?.ssrc, sourceLocation: sourceLocation)
                #expect(view.remote.track == sender.sender?.track, sourceLocation: sourceLocation)
            }
        }
    }
    #expect(one.data?.section == two.data?.section && one.data?.mid == two.data?.mid, sourceLocation: sourceLocation)
    #expect((one.transport == nil) == (two.transport == nil), sourceLocation: sourceLocation)
    guard let here = one.transport, let there = two.transport else { return }
    #expect(here.role != there.role && here.isControlling != there.isControlling, sourceLocation: sourceLocation)
    #expect(here.mids == there.mids, sourceLocation: sourceLocation)
    #expect(here.isICERestart == there.isICERestart, sourceLocation: sourceLocation)
    #expect(here.isNewDTLSAssociation == there.isNewDTLSAssociation, sourceLocation: sourceLocation)
    for (mine, theirs) in [(here, there), (there, here)] {
        #expect(mine.remoteUsernameFragment == theirs.local.usernameFragment, sourceLocation: sourceLocation)
        #expect(mine.remotePassword == theirs.local.password, sourceLocation: sourceLocation)
        #expect(mine.remoteFingerprints == theirs.local.fingerprints, sourceLocation: sourceLocation)
        #expect(mine.remoteCandidates == theirs.local.candidates, sourceLocation: sourceLocation)
        #expect(mine.isRemoteTrickling == !theirs.local.isGatheringComplete, sourceLocation: sourceLocation)
    }
}
