/// `a=group:BUNDLE 0 1`, of the session: media sections that belong together (RFC 5888 section 5).
package struct MediaGroup: AttributeValue {
    package static let attributeName = "group"
    /// The semantics of a group whose sections share one transport, that of its first section (RFC 9143).
    package static let bundle = "BUNDLE"

    package var semantics: String
    /// The ``MediaID`` of each section; may be empty.
    package var names: [String]

    package init(_ semantics: String, _ names: [String]) {
        self.semantics = semantics
        self.names = names
    }

    package init?(attributeValue: String?) {
        guard let attributeValue else { return nil }
        let fields = Text.fields(attributeValue, by: 0x20).filter { !$0.isEmpty }.map { String($0) }
        guard let first = fields.first, fields.allSatisfy({ Text.isToken($0) }) else { return nil }
        self.init(first, Array(fields.dropFirst()))
    }
    package var attributeValue: String? { ([semantics] + names).joined(separator: " ") }
}

/// `a=mid:0`: the permanent name of a media section (RFC 5888 section 4).
package struct MediaID: AttributeValue {
    package static let attributeName = "mid"
    /// The name, at most 255 bytes: header extensions and RTCP can't carry longer ones.
    package var name: String

    package init(_ name: String) { self.name = name }
    package init?(attributeValue: String?) {
        guard let attributeValue, Text.isToken(attributeValue), attributeValue.utf8.count <= 255 else { return nil }
        name = attributeValue
    }
    package var attributeValue: String? { name }
}
