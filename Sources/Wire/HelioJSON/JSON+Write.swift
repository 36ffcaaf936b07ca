extension JSON {
    /// Serialises the value without spaces; members keep their order.
    package func serialised() -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(128)
        append(to: &bytes)
        return bytes
    }

    package func append(to bytes: inout [UInt8]) {
        switch self {
        case .null: bytes += "null".utf8
        case .bool(let value): bytes += (value ? "true" : "false").utf8
        case .number(let value): Self.append(value, to: &bytes)
        case .string(let text): Self.append(text, to: &bytes)
        case .array(let values):
            bytes.append(UInt8(ascii: "["))
            for (index, value) in values.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                value.append(to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let object):
            bytes.append(UInt8(ascii: "{"))
            for (index, member) in object.members.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                Self.append(member.name, to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                member.value.append(to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }

    /// Appends a number with the fewest digits that parse to the same number. A whole number has no `.0`. NaN and
    /// infinity become `null`, as in browsers.
    private static func append(_ value: Double, to bytes: inout [UInt8]) {
        guard value.isFinite else {
            bytes += "null".utf8
            return
        }
        let text = value.description
        bytes += (text.hasSuffix(".0") ? text.dropLast(2) : text[...]).utf8
    }

    /// Appends a string. Escapes only what has to be escaped, each in its shortest form (RFC 8259 section 7), so that a
    /// parsed text does not grow when it is written again.
    private static func append(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
            case 0x08: bytes += "\\b".utf8
            case 0x09: bytes += "\\t".utf8
            case 0x0A: bytes += "\\n".utf8
            case 0x0C: bytes += "\\f".utf8
            case 0x0D: bytes += "\\r".utf8
            case 0..<0x20:
                let digits = Array("0123456789abcdef".utf8)
                bytes += "\\u00".utf8
                bytes += [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
