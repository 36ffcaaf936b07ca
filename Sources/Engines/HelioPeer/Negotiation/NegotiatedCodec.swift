package import HelioCore
package import HelioSDP

/// A codec that both ends support, with its payload types in each direction.
package struct NegotiatedCodec: Sendable, Hashable {
    package var codec: RTPCodec
    /// The payload type of packets to the peer.
    package var sendPayloadType: PayloadType
    /// The payload type of packets from the peer.
    package var receivePayloadType: PayloadType
    /// The payload types of the retransmission streams in each direction; `nil` without such a stream.
    package var sendRetransmissionType: PayloadType?
    package var receiveRetransmissionType: PayloadType?
    /// The peer's format parameters, which apply to the media that this end sends.
    package var remoteParameters: FormatParameters?
    /// The RTCP feedback types that both ends support.
    package var feedback: [RTPCodec.Feedback]
    /// The agreed profile and levels of H.264; `nil` for other codecs.
    package var h264: H264Agreement?

    /// Matches a codec of this end with a codec of the peer; `nil` if they differ.
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

    /// Makes a codec that was offered but is not in the answer, although the answer contains the codec `agreed` of the
    /// same encoding; `nil` if the encodings differ.
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

    /// The parameters for `a=fmtp` in an answer.
    var answerParameters: [FormatParameters.Parameter] { h264?.answer.parameters ?? codec.parameters }
}
