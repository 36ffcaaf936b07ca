/// `a=mid:0`: the name of a media section, which lasts while the section does (RFC 5888 section 4).
package struct MediaID: AttributeValue {
    package static let attributeName = "mid"
    /// At most 255 bytes: it goes into header extensions and RTCP, which hold no more.
    package var name: String

    package init(_ name: String) { self.name = name }
    package init?(attributeValue: String?) {
        guard let attributeValue, Text.isToken(attributeValue), attributeValue.utf8.count <= 255 else { return nil }
        name = attributeValue
    }
    package var attributeValue: String? { name }
}
