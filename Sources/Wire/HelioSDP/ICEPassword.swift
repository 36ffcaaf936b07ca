/// `a=ice-pwd:asd88fgpdd777uzjYhagZg`: the key of connectivity checks, 22 to 256 characters (RFC 8839
/// section 5.4). Descriptions and reflection don't show it.
package struct ICEPassword: AttributeValue {
    package static let attributeName = "ice-pwd"
    package let text: String

    /// `nil` where a character or the length is not the grammar's.
    package init?(_ text: String) {
        guard (22...256).contains(text.utf8.count), Text.isICE(text) else { return nil }
        self.text = text
    }

    package init?(attributeValue: String?) {
        guard let attributeValue else { return nil }
        self.init(attributeValue)
    }
    package var attributeValue: String? { text }
}

extension ICEPassword: CustomStringConvertible, CustomReflectable {
    package var description: String { "ice-pwd:<redacted>" }
    package var customMirror: Mirror { Mirror(self, children: ["text": "<redacted>"]) }
}
