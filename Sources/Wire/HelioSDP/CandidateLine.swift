/// `a=candidate:1 1 UDP 2130706431 192.0.2.1 8998 typ host`: an address to try, kept as the text behind the colon
/// (RFC 8839 section 5.1), for ICE to read.
package struct CandidateLine: AttributeValue {
    package static let attributeName = "candidate"
    package var text: String

    package init(_ text: String) { self.text = text }
    package init?(attributeValue: String?) {
        guard let attributeValue, !attributeValue.isEmpty else { return nil }
        text = attributeValue
    }
    package var attributeValue: String? { text }
}
