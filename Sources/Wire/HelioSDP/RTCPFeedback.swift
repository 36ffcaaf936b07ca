package import HelioCore

/// `a=rtcp-fb:96 nack pli`: a supported kind of RTCP feedback (RFC 4585 section 4.2).
package struct RTCPFeedback: AttributeValue {
    package static let attributeName = "rtcp-fb"
    /// The payload type; `nil` for `*`, which means every payload type of the section.
    package var payloadType: PayloadType?
    /// The kind: `nack`, `ccm`, `transport-cc` ...
    package var kind: String
    /// The parameter after the kind: `pli`, `fir` ...
    package var parameter: String?

    package init(_ payloadType: PayloadType?, _ kind: String, _ parameter: String? = nil) {
        self.payloadType = payloadType
        self.kind = kind
        self.parameter = parameter
    }

    package init?(attributeValue: String?) {
        guard let attributeValue else { return nil }
        let (type, rest) = Text.cut(attributeValue, at: 0x20)
        guard let rest else { return nil }
        let (kind, parameter) = Text.cut(rest, at: 0x20)
        guard Text.isToken(kind), parameter?.isEmpty != true else { return nil }
        self.init(nil, String(kind), parameter.map { String($0) })
        if type != "*" {
            guard let payloadType = PayloadType(text: type) else { return nil }
            self.payloadType = payloadType
        }
    }

    package var attributeValue: String? {
        let type = payloadType.map { String($0.rawValue) } ?? "*"
        return "\(type) \(kind)" + (parameter.map { " \($0)" } ?? "")
    }
}
