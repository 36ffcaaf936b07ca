/// `a=ice-options:trickle ice2`: what this end's ICE knows beyond the ground (RFC 8839 section 5.6).
package struct ICEOptions: AttributeValue {
    package static let attributeName = "ice-options"
    package var tags: [String]

    package init(_ tags: [String]) { self.tags = tags }

    package init?(attributeValue: String?) {
        guard let attributeValue else { return nil }
        tags = Text.fields(attributeValue, by: 0x20).filter { !$0.isEmpty }.map { String($0) }
        guard !tags.isEmpty, tags.allSatisfy({ Text.isToken($0) }) else { return nil }
    }
    package var attributeValue: String? { tags.joined(separator: " ") }

    /// Candidates may come after the description (RFC 8840 section 4.1).
    package var hasTrickle: Bool { tags.contains("trickle") }
}
