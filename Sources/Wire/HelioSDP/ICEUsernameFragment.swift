/// `a=ice-ufrag:8hhY`: this end's part of the user name of connectivity checks, 4 to 256 characters
/// (RFC 8839 section 5.4).
package struct ICEUsernameFragment: AttributeValue {
    package static let attributeName = "ice-ufrag"
    package let text: String

    /// `nil` where a character or the length is not the grammar's.
    package init?(_ text: String) {
        guard (4...256).contains(text.utf8.count), Text.isICE(text) else { return nil }
        self.text = text
    }

    package init?(attributeValue: String?) {
        guard let attributeValue else { return nil }
        self.init(attributeValue)
    }
    package var attributeValue: String? { text }
}
