package import HelioCore

/// A format in an `m=audio` section: payload type, clock and codec. Static payload types need no `a=rtpmap` (RFC 3551
/// section 6).
package struct SoundDescription: Sendable, Hashable {
    package enum Encoding: Sendable, Hashable {
        case opus(OpusFormatParameters)
        case aac(MPEG4FormatParameters)
        /// AAC in LATM.
        case latm(LATMFormatParameters)
        /// 16-bit samples, big-endian.
        case linear16
        /// G.711, by µ-law.
        case muLaw
        /// G.711, by A-law.
        case aLaw
    }

    package var payloadType: PayloadType
    /// The clock rate of timestamps, in ticks per second, which is the sample rate except for Opus and AAC with SBR.
    package var clockRate: Int
    package var channels: Int
    package var encoding: Encoding

    package init(_ payloadType: PayloadType, clockRate: Int, channels: Int, _ encoding: Encoding) {
        self.payloadType = payloadType
        self.clockRate = clockRate
        self.channels = channels
        self.encoding = encoding
    }

    /// Makes a description of Opus, whose clock rate and channels are fixed.
    package static func opus(_ payloadType: PayloadType, _ parameters: OpusFormatParameters) -> Self {
        Self(payloadType, clockRate: 48000, channels: 2, .opus(parameters))
    }

    /// Makes the format of a payload type in a section; `nil` if the codec is not supported, or if parameters needed
    /// for decoding are missing.
    init?(_ type: PayloadType, in attributes: AttributeList) {
        guard let map = attributes.rtpMap(for: type) ?? Self.fixed.first(where: { $0.payloadType == type }),
            (1...Self.maximumRate).contains(Int(map.clockRate))
        else { return nil }
        let parameters = attributes.formatParameters(for: type)
        let encoding: Encoding? =
            switch Self.folded(map.encoding) {
            case "opus": map.clockRate == 48000 ? .opus(OpusFormatParameters(parameters)) : nil
            case "mpeg4-generic": parameters.flatMap { MPEG4FormatParameters($0) }.map { .aac($0) }
            case "mp4a-latm": parameters.flatMap { LATMFormatParameters($0) }.map { .latm($0) }
            case "l16": .linear16
            case "pcmu": .muLaw
            case "pcma": .aLaw
            default: nil
            }
        guard let encoding else { return nil }
        self.init(type, clockRate: Int(map.clockRate), channels: Int(map.channels ?? 1), encoding)
    }

    /// Appends the attributes that describe the format.
    package func write(into attributes: inout AttributeList) {
        let name: String
        var parameters: [FormatParameters.Parameter] = []
        switch encoding {
        case .opus(let opus): (name, parameters) = ("opus", opus.parameters)
        case .aac(let aac): (name, parameters) = ("mpeg4-generic", aac.parameters)
        case .latm(let latm): (name, parameters) = ("MP4A-LATM", latm.parameters)
        case .linear16: name = "L16"
        case .muLaw: name = "PCMU"
        case .aLaw: name = "PCMA"
        }
        attributes.append(
            RTPMap(
                payloadType, name, clockRate: UInt32(clamping: clockRate), channels: UInt8(clamping: channels)))
        if !parameters.isEmpty { attributes.append(FormatParameters(payloadType, parameters)) }
    }

    private static func folded(_ name: String) -> String {
        String(decoding: name.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }

    private static let maximumRate = 192_000
    /// The static payload types of these codecs.
    private static let fixed = [
        RTPMap(PayloadType(0), "PCMU", clockRate: 8000), RTPMap(PayloadType(8), "PCMA", clockRate: 8000),
        RTPMap(PayloadType(10), "L16", clockRate: 44100, channels: 2), RTPMap(PayloadType(11), "L16", clockRate: 44100),
    ]
}

extension MediaSection {
    /// The supported sound formats in order of preference; empty for sections other than audio.
    package var sounds: [SoundDescription] {
        guard kind == .audio else { return [] }
        return formats.compactMap { PayloadType(text: Substring($0)) }.compactMap {
            SoundDescription($0, in: attributes)
        }
    }
}
