extension JSON {
    /// Writes the text, without spaces; members in their order.
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

    /// Appends a number by the fewest digits that are read as the same number again; a whole number without its `.0`.
    /// What is no number is `null`, as browsers write it.
    private static func append(_ value: Double, to bytes: inout [UInt8]) {
        guard value.isFinite else {
            bytes += "null".utf8
            return
        }
        let text = value.description
        bytes += (text.hasSuffix(".0") ? text.dropLast(2) : text[...]).utf8
    }

    /// Appends a string. Escapes what has to be, and no more, each in its shortest form (RFC 8259 section 7): a text
    /// that was read is not longer when it is written.
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
