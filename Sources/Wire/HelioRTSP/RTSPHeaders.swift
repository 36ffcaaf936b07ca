/// Header fields in the order of their lines; names are case-insensitive.
///
/// `Content-Length` is not one of the fields: the parser removes it, and a serialised message derives it from its body.
package struct RTSPHeaders: Hashable, Sendable, ExpressibleByDictionaryLiteral {
    package struct Field: Hashable, Sendable {
        package var name: String
        package var value: String
    }

    package private(set) var fields: [Field] = []

    package init() {}
    package init(dictionaryLiteral elements: (String, String)...) {
        for (name, value) in elements { append(name, value) }
    }

    /// The first field of this name. Setting replaces all fields of the name with one; `nil` removes them.
    package subscript(_ name: String) -> String? {
        get { fields.first { Text.equalIgnoringCase($0.name, name) }?.value }
        set {
            let place = fields.firstIndex { Text.equalIgnoringCase($0.name, name) } ?? fields.count
            fields.removeAll { Text.equalIgnoringCase($0.name, name) }
            if let newValue { fields.insert(Field(name: name, value: newValue), at: place) }
        }
    }

    /// The values of all fields of this name.
    package func all(_ name: String) -> [String] {
        fields.filter { Text.equalIgnoringCase($0.name, name) }.map(\.value)
    }

    package mutating func append(_ name: String, _ value: String) {
        fields.append(Field(name: name, value: value))
    }

    /// `CSeq`, which matches a response to its request (RFC 2326 section 12.17).
    package var sequence: UInt32? {
        get { self["CSeq"].flatMap { Text.decimal($0) }.flatMap { UInt32(exactly: $0) } }
        set { self["CSeq"] = newValue.map { String($0) } }
    }

    package var session: RTSPSessionHeader? {
        get { self["Session"].flatMap { RTSPSessionHeader($0) } }
        set { self["Session"] = newValue?.value }
    }
}
