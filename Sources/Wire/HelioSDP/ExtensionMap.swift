/// `a=extmap:1 URI`: the identifier of a header extension (RFC 8285 section 5).
package struct ExtensionMap: AttributeValue {
    package static let attributeName = "extmap"
    /// The identifier, 1 ... 14 in the one-byte form, up to 255 in the two-byte form.
    package var id: UInt8
    /// The direction from the point of view of the description's sender; `nil` means both directions.
    package var direction: MediaDirection?
    package var uri: String
    /// The text after the URI.
    package var parameters: String?

    package init(_ id: UInt8, _ uri: String, direction: MediaDirection? = nil, parameters: String? = nil) {
        self.id = id
        self.uri = uri
        self.direction = direction
        self.parameters = parameters
    }

    package init?(attributeValue: String?) {
        guard let attributeValue else { return nil }
        let (key, rest) = Text.cut(attributeValue, at: 0x20)
        let (number, direction) = Text.cut(key, at: UInt8(ascii: "/"))
        guard let rest, let id = Text.decimal(number).flatMap({ UInt8(exactly: $0) }), id > 0 else { return nil }
        let (uri, parameters) = Text.cut(rest, at: 0x20)
        guard Text.isWord(uri), parameters?.isEmpty != true else { return nil }
        self.init(id, String(uri), parameters: parameters.map { String($0) })
        if let direction {
            guard let known = MediaDirection(rawValue: String(direction)) else { return nil }
            self.direction = known
        }
    }

    package var attributeValue: String? {
        "\(id)" + (direction.map { "/\($0.rawValue)" } ?? "") + " \(uri)" + (parameters.map { " \($0)" } ?? "")
    }
}
