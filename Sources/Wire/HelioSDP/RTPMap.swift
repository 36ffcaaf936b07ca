package import HelioCore

/// `a=rtpmap:96 H264/90000`: the encoding of a payload type (RFC 8866 section 6.6).
package struct RTPMap: AttributeValue {
    package static let attributeName = "rtpmap"
    package var payloadType: PayloadType
    /// The encoding name, which is case-insensitive.
    package var encoding: String
    package var clockRate: UInt32
    /// The number of channels, for audio only.
    package var channels: UInt8?

    package init(_ payloadType: PayloadType, _ encoding: String, clockRate: UInt32, channels: UInt8? = nil) {
        self.payloadType = payloadType
        self.encoding = encoding
        self.clockRate = clockRate
        self.channels = channels
    }

    package init?(attributeValue: String?) {
        guard let attributeValue else { return nil }
        let (type, rest) = Text.cut(attributeValue, at: 0x20)
        guard let payloadType = PayloadType(text: type), let rest else { return nil }
        let fields = Text.fields(rest, by: UInt8(ascii: "/"))
        guard (2...3).contains(fields.count), Text.isToken(fields[0]),
            let rate = Text.decimal(fields[1]).flatMap({ UInt32(exactly: $0) }), rate > 0
        else { return nil }
        self.init(payloadType, String(fields[0]), clockRate: rate)
        if fields.count == 3 {
            guard let count = Text.decimal(fields[2]).flatMap({ UInt8(exactly: $0) }), count > 0 else { return nil }
            channels = count
        }
    }

    package var attributeValue: String? {
        "\(payloadType.rawValue) \(encoding)/\(clockRate)" + (channels.map { "/\($0)" } ?? "")
    }
}

extension PayloadType {
    init?(text: Substring) {
        guard let number = Text.decimal(text), number < 128 else { return nil }
        self.init(UInt8(number))
    }
}
