/// `a=control:video`: the URL that RTSP's SETUP names, absolute or relative to the description's base
/// (RFC 2326 appendix C.1.1).
package struct ControlURL: AttributeValue {
    package static let attributeName = "control"
    package var url: String

    package init(_ url: String) { self.url = url }
    package init?(attributeValue: String?) {
        guard let attributeValue, Text.isWord(attributeValue) else { return nil }
        url = attributeValue
    }
    package var attributeValue: String? { url }
}
