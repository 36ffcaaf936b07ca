/// One `a=` line: a flag, or a name with a value (RFC 8866 section 5.13).
///
/// Descriptions and reflection omit the value of an attribute that carries a secret.
package struct Attribute: Hashable, Sendable {
    package var name: String
    /// The value; `nil` for a flag.
    package var value: String?

    package init(_ name: String, _ value: String? = nil) {
        self.name = name
        self.value = value
    }

    init?(line: String) {
        let (name, value) = Text.cut(line, at: UInt8(ascii: ":"))
        guard Text.isToken(name) else { return nil }
        self.init(String(name), value.map { String($0) })
    }

    var text: String { value.map { "\(name):\($0)" } ?? name }

    /// True for attributes that contain keys: RFC 4568, RFC 4567, RFC 8839.
    private var isSecret: Bool {
        ["crypto", "key-mgmt", "ice-pwd"].contains { Text.equalIgnoringCase($0, name) }
    }
}

extension Attribute: CustomStringConvertible, CustomReflectable {
    package var description: String { isSecret ? "\(name):<redacted>" : text }
    package var customMirror: Mirror {
        Mirror(self, children: ["name": name, "value": (isSecret ? "<redacted>" : value) as Any])
    }
}

/// An attribute with a typed value, which converts from and to the text of its `a=` line.
package protocol AttributeValue: Hashable, Sendable {
    static var attributeName: String { get }
    /// Reads the text after the colon, which is `nil` for a flag. Returns `nil` if it is malformed.
    init?(attributeValue: String?)
    var attributeValue: String? { get }
}
