import HelioCore
import HelioSDP

/// The key for matching codecs of two descriptions: name, clock rate, channels, and the format parameters that must be
/// equal at both ends. Levels are not included.
struct CodecIdentity: Hashable, Sendable {
    enum Variant: Hashable, Sendable {
        case plain
        /// Profile and packetization mode (RFC 6184 section 8.2.2).
        case h264(H264Profile, packetizationMode: UInt8)
        /// Profile, tier and transmission mode (RFC 7798 section 7.2.2).
        case h265(profile: String, tier: String, mode: String)
        /// The profile (RFC 9628 section 6).
        case vp9(profile: String)
        case retransmission(of: PayloadType)
    }

    let kind: MediaKind
    let encoding: String
    let clockRate: UInt32
    let channels: UInt8
    let variant: Variant

    /// Makes an identity; `nil` if the parameters that it includes are malformed or unknown.
    init?(_ kind: MediaKind, encoding: String, clockRate: UInt32, channels: UInt8?, _ parameters: FormatParameters?) {
        self.kind = kind
        self.encoding = encoding.lowercased()
        self.clockRate = clockRate
        self.channels = channels ?? 1
        switch self.encoding {
        case "h264":
            guard let h264 = H264FormatParameters(parameters) else { return nil }
            variant = .h264(h264.profileLevel.profile, packetizationMode: h264.packetizationMode)
        case "h265":
            variant = .h265(
                profile: parameters?["profile-id"] ?? "1", tier: parameters?["tier-flag"] ?? "0",
                mode: parameters?["tx-mode"] ?? "SRST")
        case "vp9": variant = .vp9(profile: parameters?["profile-id"] ?? "0")
        case Self.retransmission:
            guard let text = parameters?["apt"], let type = UInt8(text), type < 128 else { return nil }
            variant = .retransmission(of: PayloadType(type))
        default: variant = .plain
        }
    }

    init?(_ codec: RTPCodec) {
        self.init(
            codec.kind, encoding: codec.encoding, clockRate: codec.clockRate, channels: codec.channels,
            FormatParameters(PayloadType(0), codec.parameters))
    }

    /// Makes the identity of the RTX codec for the payload type `type` of the codec `codec`.
    init(retransmissionOf type: PayloadType, of codec: RTPCodec) {
        kind = codec.kind
        encoding = Self.retransmission
        clockRate = codec.clockRate
        channels = 1
        variant = .retransmission(of: type)
    }

    static let retransmission = "rtx"
}
