/// A parser of the links of one `Link` field (RFC 8288 section 3): `<TARGET>; NAME="VALUE"; …, <TARGET>; …`.
struct LinkReader {
    struct Link {
        var target: String
        /// The parameters by name, in lower case; the first of each name counts.
        var parameters: [String: String]
    }

    private var rest: Substring.UTF8View

    init(_ text: String) { rest = text[...].utf8 }

    /// The next link; `nil` at the end, and after the first syntax error.
    mutating func next() -> Link? {
        skip { Self.isBlank($0) || $0 == UInt8(ascii: ",") }
        guard rest.first == UInt8(ascii: "<") else { return end() }
        rest.removeFirst()
        let target = take { $0 != UInt8(ascii: ">") }
        guard rest.popFirst() != nil else { return end() }
        var link = Link(target: target, parameters: [:])
        while true {
            skip(Self.isBlank)
            switch rest.first {
            case nil, UInt8(ascii: ","): return link
            case UInt8(ascii: ";"): rest.removeFirst()
            default: return end()
            }
            skip(Self.isBlank)
            let name = take { !Self.isBlank($0) && !"=;,".utf8.contains($0) }.lowercased()
            skip(Self.isBlank)
            var value = ""
            if rest.first == UInt8(ascii: "=") {
                rest.removeFirst()
                skip(Self.isBlank)
                guard let read = self.value() else { return end() }
                value = read
            }
            if !name.isEmpty, link.parameters[name] == nil { link.parameters[name] = value }
        }
    }

    /// Reads a token, or a quoted string in which `\` escapes the next character; `nil` if the closing quote is
    /// missing.
    private mutating func value() -> String? {
        guard rest.first == UInt8(ascii: "\"") else { return take { !Self.isBlank($0) && !";,".utf8.contains($0) } }
        rest.removeFirst()
        var bytes: [UInt8] = []
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: bytes, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard let next = rest.popFirst() else { return nil }
                bytes.append(next)
            default: bytes.append(byte)
            }
        }
        return nil
    }

    private mutating func end() -> Link? {
        rest = rest[rest.endIndex...]
        return nil
    }

    private mutating func take(_ fits: (UInt8) -> Bool) -> String {
        let part = rest.prefix(while: fits)
        rest = rest[part.endIndex...]
        return String(decoding: part, as: UTF8.self)
    }

    private mutating func skip(_ fits: (UInt8) -> Bool) { rest = rest.drop(while: fits) }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
}
