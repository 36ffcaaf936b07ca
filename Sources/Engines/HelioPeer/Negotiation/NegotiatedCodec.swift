package import HelioCore
package import HelioSDP

/// A codec that both ends have, and its numbers each way.
package struct NegotiatedCodec: Sendable, Hashable {
    package var codec: RTPCodec
    /// What packets to the peer carry.
    package var sendPayloadType: PayloadType
    /// What packets from the peer carry.
    package var receivePayloadType: PayloadType
    /// The same for packets that are sent again; `nil` where they are not, in a stream of their own.
    package var sendRetransmissionType: PayloadType?
    package var receiveRetransmissionType: PayloadType?
    /// What the peer said of what it receives.
    package var remoteParameters: FormatParameters?
    /// What both ends know.
    package var feedback: [RTPCodec.Feedback]
    /// For H.264.
    package var h264: H264Agreement?

    /// What this end sends and receives by, of two that are the same codec; `nil` where they aren't.
    init?(_ codec: RTPCodec, as type: PayloadType, retransmission: PayloadType?, remote: RemoteCodec) {
        guard let identity = CodecIdentity(codec), identity == remote.identity else { return nil }
        self.codec = codec
        sendPayloadType = remote.map.payloadType
        receivePayloadType = type
        if codec.isRetransmitted, let theirs = remote.retransmission, let ours = retransmission {
            sendRetransmissionType = theirs
            receiveRetransmissionType = ours
        }
        remoteParameters = remote.parameters
        feedback = codec.feedback.filter { remote.feedback.contains($0) }
        if case .h264 = identity.variant {
            guard
                let local = H264FormatParameters(FormatParameters(type, codec.parameters)),
                let theirs = H264FormatParameters(remote.parameters),
                let agreed = H264Agreement(local: local, remote: theirs)
            else { return nil }
            h264 = agreed
        }
    }

    /// What the peer was offered and didn't answer, beside one of the same encoding that it did; `nil` where `agreed` is
    /// of another encoding.
    init?(unanswered codec: RTPCodec, as type: PayloadType, retransmission: PayloadType?, like agreed: NegotiatedCodec)
    {
        guard let identity = CodecIdentity(codec), let other = CodecIdentity(agreed.codec),
            identity.encoding == other.encoding, identity.clockRate == other.clockRate
        else { return nil }
        self.codec = codec
        sendPayloadType = type
        receivePayloadType = type
        if codec.isRetransmitted, agreed.receiveRetransmissionType != nil { receiveRetransmissionType = retransmission }
        feedback = codec.feedback.filter { agreed.feedback.contains($0) }
        if case .h264 = identity.variant {
            let own = H264FormatParameters(FormatParameters(type, codec.parameters))
            h264 = own.flatMap { H264Agreement(local: $0, remote: $0) }
        }
    }

    /// What an answer says in `a=fmtp`.
    var answerParameters: [FormatParameters.Parameter] { h264?.answer.parameters ?? codec.parameters }
}
