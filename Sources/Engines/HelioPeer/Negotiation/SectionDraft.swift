import HelioCore
import HelioSDP

/// The parameters for writing a section of an offer or answer.
struct SectionDraft {
    struct Codec {
        var codec: RTPCodec
        var type: PayloadType
        var retransmission: PayloadType?
        var parameters: [FormatParameters.Parameter]
        var feedback: [RTPCodec.Feedback]
    }

    static let rtp = "UDP/TLS/RTP/SAVPF"
    static let sctp = "UDP/DTLS/SCTP"
    static let dataFormat = "webrtc-datachannel"
    /// The `c=` line with a null address, as ICE finds the real address (RFC 8829 section 5.2.1).
    static let nowhere = ConnectionData(.ip4, "0.0.0.0")
    static let discardPort: UInt16 = 9

    var slot: Slot
    var transport: LocalTransport
    /// True for the section with the shared transport, the only one that lists the candidates.
    var isFirstOfBundle: Bool
    var setup: SetupRole

    func media(
        _ direction: MediaDirection, codecs: [Codec], parity: PayloadType?, extensions: [ExtensionMap],
        sender: SendingStream?, cname: String, hasReducedSizeRTCP: Bool, hasReceiverRoundTrip: Bool
    ) -> MediaSection {
        var types = codecs.flatMap { [$0.type] + ($0.retransmission.map { [$0] } ?? []) }
        if let parity { types.append(parity) }
        var section = start(formats: types.map { String($0.rawValue) })
        for map in extensions { section.attributes.append(map) }
        section.attributes.append(direction)
        if direction.sends, let sender {
            section.attributes.append(MediaStreamID(stream: sender.stream ?? "-", track: sender.track))
        }
        section.attributes.append(RTCPMux())
        if hasReducedSizeRTCP { section.attributes.append(RTCPReducedSize()) }
        if hasReceiverRoundTrip { section.attributes.append(ExtendedReports.receiverRoundTrip) }
        for codec in codecs { Self.append(codec, to: &section.attributes) }
        if let parity {
            let codec = RTPCodec.flexFEC
            Self.append(
                Codec(codec: codec, type: parity, parameters: codec.parameters, feedback: codec.feedback),
                to: &section.attributes)
        }
        if direction.sends, let sender {
            let isRetransmitted = codecs.contains { $0.retransmission != nil }
            Self.append(
                sender, retransmission: isRetransmitted ? sender.retransmissionSSRC : nil,
                parity: parity == nil ? nil : sender.paritySSRC, cname: cname, to: &section.attributes)
        }
        return section
    }

    /// Appends the attributes of a stream, and of its retransmission and parity streams.
    private static func append(
        _ sender: SendingStream, retransmission: SSRC?, parity: SSRC?, cname: String,
        to attributes: inout AttributeList
    ) {
        if let retransmission {
            attributes.append(SourceGroup(SourceGroup.flowIdentification, [sender.ssrc, retransmission]))
        }
        if let parity {
            attributes.append(SourceGroup(SourceGroup.forwardErrorCorrection, [sender.ssrc, parity]))
        }
        for ssrc in [sender.ssrc, retransmission, parity].compactMap({ $0 }) {
            attributes.append(SourceAttribute(ssrc, "cname", cname))
        }
    }

    func data(maximumMessageSize: UInt64) -> MediaSection {
        var section = start(formats: [Self.dataFormat])
        section.attributes.append(SCTPPort(SCTPPort.usual))
        section.attributes.append(MaximumMessageSize(maximumMessageSize))
        return section
    }

    /// Makes a section with the attributes that every section has.
    private func start(formats: [String]) -> MediaSection {
        var section = MediaSection(
            slot.kind, port: Self.discardPort, transport: slot.transport, formats: formats)
        section.connection = Self.nowhere
        if isFirstOfBundle {
            for candidate in transport.candidates { section.attributes.append(candidate) }
            if transport.isGatheringComplete { section.attributes.append(EndOfCandidates()) }
        }
        section.attributes.append(transport.usernameFragment)
        section.attributes.append(transport.password)
        for fingerprint in transport.fingerprints { section.attributes.append(fingerprint) }
        section.attributes.append(setup)
        if let mid = slot.mid { section.attributes.append(MediaID(mid)) }
        return section
    }

    private static func append(_ codec: Codec, to attributes: inout AttributeList) {
        attributes.append(
            RTPMap(
                codec.type, codec.codec.encoding, clockRate: codec.codec.clockRate, channels: codec.codec.channels))
        for feedback in codec.feedback {
            attributes.append(RTCPFeedback(codec.type, feedback.kind, feedback.parameter))
        }
        if !codec.parameters.isEmpty { attributes.append(FormatParameters(codec.type, codec.parameters)) }
        if let retransmission = codec.retransmission {
            attributes.append(RTPMap(retransmission, CodecIdentity.retransmission, clockRate: codec.codec.clockRate))
            attributes.append(FormatParameters(retransmission, [.init("apt", String(codec.type.rawValue))]))
        }
    }
}
