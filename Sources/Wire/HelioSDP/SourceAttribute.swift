package import HelioCore

/// `a=ssrc:314159 cname:user`: something about one RTP stream of the section (RFC 5576 section 4.1).
package struct SourceAttribute: AttributeValue {
    package static let attributeName = "ssrc"
    package var ssrc: SSRC
    /// `cname`, `msid` ...
    package var name: String
    package var value: String?

    package init(_ ssrc: SSRC, _ name: String, _ value: String? = nil) {
        self.ssrc = ssrc
        self.name = name
        self.value = value
    }

    package init?(attributeValue: String?) {
        guard let attributeValue else { return nil }
        let (number, rest) = Text.cut(attributeValue, at: 0x20)
        guard let rest, let ssrc = Text.decimal(number).flatMap({ UInt32(exactly: $0) }) else { return nil }
        let (name, value) = Text.cut(rest, at: UInt8(ascii: ":"))
        guard Text.isToken(name) else { return nil }
        self.init(SSRC(ssrc), String(name), value.map { String($0) })
    }
    package var attributeValue: String? { "\(ssrc.rawValue) \(name)" + (value.map { ":\($0)" } ?? "") }
}
