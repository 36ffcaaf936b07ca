package import HelioCore

/// `a=fmtp:96 packetization-mode=1;profile-level-id=42e01f`: the parameters of a format (RFC 8866 section 6.15), in the
/// syntax that the payload formats of RFC 6184 and RFC 7798 use.
package struct FormatParameters: AttributeValue {
    package struct Parameter: Hashable, Sendable {
        package var name: String
        /// The value; `nil` if the name has none.
        package var value: String?

        package init(_ name: String, _ value: String? = nil) {
            self.name = name
            self.value = value
        }
    }

    package static let attributeName = "fmtp"
    package var payloadType: PayloadType
    package var parameters: [Parameter]

    package init(_ payloadType: PayloadType, _ parameters: [Parameter]) {
        self.payloadType = payloadType
        self.parameters = parameters
    }

    /// The value of the first parameter of this name, case-insensitive; empty if the parameter has no value, `nil` if
    /// there is no such parameter.
    package subscript(_ name: String) -> String? {
        parameters.first { Text.equalIgnoringCase($0.name, name) }.map { $0.value ?? "" }
    }

    /// A parameter's value as a number; `nil` if the parameter is missing, not a number, or out of range.
    func number(_ name: String, in range: ClosedRange<Int>) -> Int? {
        guard let value = self[name].flatMap({ Text.decimal($0) }).flatMap({ Int(exactly: $0) }) else { return nil }
        return range.contains(value) ? value : nil
    }

    package init?(attributeValue: String?) {
        guard let attributeValue else { return nil }
        let (type, rest) = Text.cut(attributeValue, at: 0x20)
        guard let payloadType = PayloadType(text: type), let rest else { return nil }
        self.init(payloadType, [])
        for part in Text.fields(rest, by: UInt8(ascii: ";")).map(Text.trimmed) where !part.isEmpty {
            let (name, value) = Text.cut(part, at: UInt8(ascii: "="))
            guard !Text.trimmed(name).isEmpty else { return nil }
            parameters.append(Parameter(String(Text.trimmed(name)), value.map { String(Text.trimmed($0)) }))
        }
        if parameters.isEmpty { return nil }
    }

    package var attributeValue: String? {
        let list = parameters.map { parameter in parameter.value.map { "\(parameter.name)=\($0)" } ?? parameter.name }
        return "\(payloadType.rawValue) \(list.joined(separator: ";"))"
    }
}
