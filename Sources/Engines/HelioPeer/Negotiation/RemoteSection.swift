import HelioCore
import HelioSDP

/// A parsed section of the peer's description; attributes that the negotiation does not need are ignored.
struct RemoteSection: Sendable {
    static let maximumCandidates = 64

    var index: Int
    var kind: MediaKind
    var transport: String
    var format: String
    var mid: String?
    /// True if the port is 0 and `a=bundle-only` is absent.
    var isRefused: Bool
    var direction: MediaDirection
    /// The codecs in the order of the `m=` line.
    var codecs: [RemoteCodec]
    /// The header extensions, one for each ID.
    var extensions: [ExtensionMap]
    var allowsMixedExtensions: Bool
    var hasRTCPMux: Bool
    var hasReducedSizeRTCP: Bool
    var hasReceiverRoundTrip: Bool
    var streams: RemoteStreams

    var usernameFragment: ICEUsernameFragment?
    var password: ICEPassword?
    var fingerprints: [CertificateFingerprint]
    var setup: SetupRole?
    var candidates: [CandidateLine]
    var isTrickling: Bool
    /// True if the peer supports trickled candidates (RFC 8838), whether or not it has sent all its own candidates.
    var takesTrickled: Bool

    var sctpPort: UInt16
    var maximumMessageSize: UInt64

    var isRTP: Bool { Self.rtp.contains(transport) }
    var isData: Bool { kind == .application && Self.sctp.contains(transport) && format == SectionDraft.dataFormat }

    /// The RTP protocols that RFC 8829 section 5.1.2 requires an end to accept; all of them mean RTP over DTLS-SRTP.
    private static let rtp: Set = [
        "UDP/TLS/RTP/SAVPF", "UDP/TLS/RTP/SAVP", "TCP/DTLS/RTP/SAVPF", "TCP/DTLS/RTP/SAVP", "TCP/TLS/RTP/SAVPF",
        "TCP/TLS/RTP/SAVP", "RTP/SAVPF", "RTP/SAVP",
    ]
    private static let sctp: Set = ["UDP/DTLS/SCTP", "TCP/DTLS/SCTP"]

    /// Parses a section. For attributes that may be at the session level, the session's value is the fallback.
    init(_ section: MediaSection, index: Int, session: AttributeList) throws(NegotiationError) {
        let own = section.attributes
        self.index = index
        kind = section.kind
        transport = section.transport
        format = section.formats.first ?? "0"
        mid = own.first(MediaID.self)?.name
        isRefused = section.port == 0 && !own.has(BundleOnly.self)
        direction = own.direction ?? session.direction ?? .sendrecv
        hasRTCPMux = own.hasRTCPMux
        hasReducedSizeRTCP = own.has(RTCPReducedSize.self)
        let reports = own.first(ExtendedReports.self) ?? session.first(ExtendedReports.self)
        hasReceiverRoundTrip = reports?.hasReceiverRoundTrip == true
        allowsMixedExtensions = own.has(ExtensionMapAllowMixed.self) || session.has(ExtensionMapAllowMixed.self)
        streams = RemoteStreams(own)

        usernameFragment = own.first(ICEUsernameFragment.self) ?? session.first(ICEUsernameFragment.self)
        password = own.first(ICEPassword.self) ?? session.first(ICEPassword.self)
        let prints = own.values(of: CertificateFingerprint.self)
        fingerprints = prints.isEmpty ? session.values(of: CertificateFingerprint.self) : prints
        setup = own.first(SetupRole.self) ?? session.first(SetupRole.self)
        candidates = Array(own.values(of: CandidateLine.self).prefix(Self.maximumCandidates))
        let options = own.first(ICEOptions.self) ?? session.first(ICEOptions.self)
        takesTrickled = options?.hasTrickle == true
        isTrickling =
            takesTrickled && !own.has(EndOfCandidates.self) && !session.has(EndOfCandidates.self)

        sctpPort = own.first(SCTPPort.self)?.port ?? SCTPPort.usual
        maximumMessageSize = own.first(MaximumMessageSize.self)?.bytes ?? MaximumMessageSize.usual

        codecs = Self.isMedia(section) ? Self.codecs(of: section) : []
        extensions = []
        var ids: [UInt8: String] = [:]
        for map in own.values(of: ExtensionMap.self) + session.values(of: ExtensionMap.self) {
            if let uri = ids[map.id] {
                if uri != map.uri { throw .extensionCollision(section: index, id: map.id) }
            } else {
                ids[map.id] = map.uri
                extensions.append(map)
            }
        }
    }

    private static func isMedia(_ section: MediaSection) -> Bool { section.kind == .audio || section.kind == .video }

    /// Parses the codecs of a section. Formats without `a=rtpmap` are ignored, as browsers send it even for static
    /// payload types.
    private static func codecs(of section: MediaSection) -> [RemoteCodec] {
        var maps: [PayloadType: RTPMap] = [:]
        for map in section.attributes.values(of: RTPMap.self) where maps[map.payloadType] == nil {
            maps[map.payloadType] = map
        }
        var parameters: [PayloadType: FormatParameters] = [:]
        for value in section.attributes.values(of: FormatParameters.self) where parameters[value.payloadType] == nil {
            parameters[value.payloadType] = value
        }
        var feedback: [PayloadType?: [RTPCodec.Feedback]] = [:]
        for value in section.attributes.values(of: RTCPFeedback.self) {
            feedback[value.payloadType, default: []].append(RTPCodec.Feedback(value.kind, value.parameter))
        }

        var codecs: [RemoteCodec] = []
        var retransmissions: [PayloadType: PayloadType] = [:]
        for format in section.formats {
            guard let number = UInt8(format), number < 128,
                let map = maps.removeValue(forKey: PayloadType(number))
            else { continue }
            let identity = CodecIdentity(
                section.kind, encoding: map.encoding, clockRate: map.clockRate, channels: map.channels,
                parameters[map.payloadType])
            if case .retransmission(let original)? = identity?.variant {
                if retransmissions[original] == nil { retransmissions[original] = map.payloadType }
            }
            codecs.append(
                RemoteCodec(
                    map: map, parameters: parameters[map.payloadType],
                    feedback: feedback[map.payloadType, default: []] + feedback[nil, default: []], identity: identity))
        }
        for index in codecs.indices { codecs[index].retransmission = retransmissions[codecs[index].map.payloadType] }
        return codecs
    }
}
