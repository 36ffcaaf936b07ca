import HelioCore
import HelioProtection
import HelioSDP

/// The body of a viewer's SETUP request: a small SDP with the key for the packets that the viewer itself sends on that
/// medium.
enum SetupAnswer {
    static func video(_ key: SRTPMasterKey) -> [UInt8] {
        body(.video, "RTP/SAVPF", "\(StreamOffer.payloadType(.h264).rawValue)", KeyAttribute.media(key))
    }

    static func voice(_ key: SRTPMasterKey) -> [UInt8] {
        body(.audio, "RTP/SAVPF", "\(StreamOffer.payloadType(.opus).rawValue)", KeyAttribute.media(key))
    }

    static func control(_ key: SealedKey) -> [UInt8] {
        body(.application, StreamOffer.controlTransport, "control", KeyAttribute.control(key))
    }

    static func attributes(of body: [UInt8]) -> AttributeList? {
        try? SessionDescription(parsing: body).media.first?.attributes
    }

    private static func body(
        _ kind: MediaKind, _ transport: String, _ format: String, _ key: CryptoAttribute
    ) -> [UInt8] {
        var attributes = AttributeList([])
        attributes.append(key)
        return SessionDescription(
            origin: Origin(sessionID: 0, host: ConnectionData(.ip4, "0.0.0.0")), name: "Heliograph",
            attributes: AttributeList([]),
            media: [MediaSection(kind, port: 0, transport: transport, formats: [format], attributes: attributes)]
        ).serialised()
    }
}
