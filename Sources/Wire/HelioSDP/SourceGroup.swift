package import HelioCore

/// `a=ssrc-group:FID 1 2`: RTP streams of the section that belong together (RFC 5576 section 4.2).
package struct SourceGroup: AttributeValue {
    package static let attributeName = "ssrc-group"
    /// A stream, and the one that its packets are sent again on (RFC 5888 section 8, RFC 4588).
    package static let flowIdentification = "FID"

    package var semantics: String
    package var sources: [SSRC]

    package init(_ semantics: String, _ sources: [SSRC]) {
        self.semantics = semantics
        self.sources = sources
    }

    package init?(attributeValue: String?) {
        guard let attributeValue else { return nil }
        let fields = Text.fields(attributeValue, by: 0x20).filter { !$0.isEmpty }
        guard fields.count >= 2, Text.isToken(fields[0]) else { return nil }
        self.init(String(fields[0]), [])
        for field in fields.dropFirst() {
            guard let ssrc = Text.decimal(field).flatMap({ UInt32(exactly: $0) }) else { return nil }
            sources.append(SSRC(ssrc))
        }
    }
    package var attributeValue: String? {
        ([semantics] + sources.map { String($0.rawValue) }).joined(separator: " ")
    }
}
