/// `a=ice-ufrag:8hhY`: this end's half of the user name of connectivity checks, 4 to 256 characters (RFC 8839 section
/// 5.4).
package struct ICEUsernameFragment: AttributeValue {
    package static let attributeName = "ice-ufrag"
    package let text: String

    /// Makes a fragment; `nil` if a character or the length violates the grammar.
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

/// `a=ice-pwd:asd88fgpdd777uzjYhagZg`: the password of connectivity checks, 22 to 256 characters (RFC 8839 section
/// 5.4). Descriptions and reflection omit it.
package struct ICEPassword: AttributeValue {
    package static let attributeName = "ice-pwd"
    package let text: String

    /// Makes a password; `nil` if a character or the length violates the grammar.
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

/// `a=ice-options:trickle ice2`: the ICE options that the description's sender supports (RFC 8839 section 5.6).
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

    /// True if candidates may be sent after the description (RFC 8840 section 4.1).
    package var hasTrickle: Bool { tags.contains("trickle") }
}

/// `a=candidate:1 1 UDP 2130706431 192.0.2.1 8998 typ host`: an ICE candidate, stored as the unparsed text after the
/// colon (RFC 8839 section 5.1).
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
