/// Reads one JSON text (RFC 8259), value by value.
struct JSONParser {
    /// The number of members at which an object's names are also stored in a set, for a fast search for duplicates.
    private static let manyMembers = 16

    private let bytes: [UInt8]
    private let limits: JSONLimits
    private var offset = 0
    private var values = 0

    init(_ bytes: [UInt8], limits: JSONLimits) {
        self.bytes = bytes
        self.limits = limits
    }

    mutating func text() throws(JSONError) -> JSON {
        skipSpace()
        let value = try value(depth: 0)
        skipSpace()
        guard offset == bytes.count else { throw JSONError(.trailing, at: offset) }
        return value
    }

    /// Reads a value (section 3). `depth` is the number of arrays and objects around it.
    private mutating func value(depth: Int) throws(JSONError) -> JSON {
        let first = try peek()
        values += 1
        guard values <= limits.values else { throw JSONError(.tooManyValues, at: offset) }
        switch first {
        case UInt8(ascii: "{"):
            try enter(depth)
            return .object(try object(depth: depth + 1))
        case UInt8(ascii: "["):
            try enter(depth)
            return .array(try array(depth: depth + 1))
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try number())
        case UInt8(ascii: "t"): return try literal("true", .bool(true))
        case UInt8(ascii: "f"): return try literal("false", .bool(false))
        case UInt8(ascii: "n"): return try literal("null", .null)
        default: throw JSONError(.unexpected, at: offset)
        }
    }

    private mutating func enter(_ depth: Int) throws(JSONError) {
        guard depth < min(limits.depth, JSONLimits.deepest) else { throw JSONError(.tooDeep, at: offset) }
        offset += 1
    }

    // MARK: Objects and arrays, sections 4 and 5

    private mutating func object(depth: Int) throws(JSONError) -> JSONObject {
        var object = JSONObject()
        // A set replaces the linear search once an object has many names.
        var names: Set<JSONName>?
        skipSpace()
        if try takeIf(UInt8(ascii: "}")) { return object }
        while true {
            skipSpace()
            let start = offset
            guard try peek() == UInt8(ascii: "\"") else { throw JSONError(.unexpected, at: offset) }
            let name = try string()
            if object.members.count == Self.manyMembers { names = Set(object.members.map { JSONName($0.name) }) }
            let isNew = names?.insert(JSONName(name)).inserted ?? (object[name] == nil)
            guard isNew else { throw JSONError(.duplicateName, at: start) }
            skipSpace()
            guard try takeIf(UInt8(ascii: ":")) else { throw JSONError(.unexpected, at: offset) }
            skipSpace()
            object.append(name, try value(depth: depth))
            if try isLast(before: UInt8(ascii: "}")) { return object }
        }
    }

    private mutating func array(depth: Int) throws(JSONError) -> [JSON] {
        var array: [JSON] = []
        skipSpace()
        if try takeIf(UInt8(ascii: "]")) { return array }
        while true {
            skipSpace()
            array.append(try value(depth: depth))
            if try isLast(before: UInt8(ascii: "]")) { return array }
        }
    }

    /// Reads `end` or a comma after a member; returns true for `end`.
    private mutating func isLast(before end: UInt8) throws(JSONError) -> Bool {
        skipSpace()
        if try takeIf(end) { return true }
        guard try takeIf(UInt8(ascii: ",")) else { throw JSONError(.unexpected, at: offset) }
        return false
    }

    // MARK: Literals and numbers, sections 3 and 6

    private mutating func literal(_ text: StaticString, _ value: JSON) throws(JSONError) -> JSON {
        for index in 0..<text.utf8CodeUnitCount {
            guard try peek() == text.utf8Start[index] else { throw JSONError(.unexpected, at: offset) }
            offset += 1
        }
        return value
    }

    private mutating func number() throws(JSONError) -> Double {
        let start = offset
        var decimal = ShortDecimal()
        decimal.isNegative = try takeIf(UInt8(ascii: "-"))
        if try takeIf(UInt8(ascii: "0")) {
            if offset < bytes.count, Self.isDigit(bytes[offset]) { throw JSONError(.badNumber, at: offset) }
        } else {
            decimal.append(try digits())
        }
        if offset < bytes.count, bytes[offset] == UInt8(ascii: ".") {
            offset += 1
            decimal.appendFraction(try digits())
        }
        let hasExponent = offset < bytes.count && bytes[offset] | 0x20 == UInt8(ascii: "e")
        if !hasExponent, let value = decimal.value { return value }
        if hasExponent {
            offset += 1
            if [UInt8(ascii: "+"), UInt8(ascii: "-")].contains(try peek()) { offset += 1 }
            _ = try digits()
        }
        guard let value = Double(String(decoding: bytes[start..<offset], as: UTF8.self)) else {
            throw JSONError(.badNumber, at: start)
        }
        guard value.isFinite else { throw JSONError(.numberTooLarge, at: start) }
        return value
    }

    /// Reads digits, one or more.
    private mutating func digits() throws(JSONError) -> ArraySlice<UInt8> {
        guard Self.isDigit(try peek()) else { throw JSONError(.badNumber, at: offset) }
        let start = offset
        while offset < bytes.count, Self.isDigit(bytes[offset]) { offset += 1 }
        return bytes[start..<offset]
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    // MARK: Strings, section 7

    private mutating func string() throws(JSONError) -> String {
        let start = offset
        offset += 1
        // The decoded text up to and including the last escape; the rest begins at the offset `run`.
        var characters: [UInt8] = []
        var run = offset
        while true {
            switch try peek() {
            case UInt8(ascii: "\""):
                let rest = bytes[run..<offset]
                offset += 1
                let text =
                    characters.isEmpty
                    ? String(validating: rest, as: UTF8.self) : String(validating: characters + rest, as: UTF8.self)
                guard let text else { throw JSONError(.notUTF8, at: start) }
                return text
            case UInt8(ascii: "\\"):
                characters += bytes[run..<offset]
                try escape(into: &characters)
                run = offset
            case 0..<0x20: throw JSONError(.controlCharacter, at: offset)
            default: offset += 1
            }
        }
    }

    private mutating func escape(into characters: inout [UInt8]) throws(JSONError) {
        let start = offset
        offset += 1
        let letter = try peek()
        offset += 1
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): characters.append(letter)
        case UInt8(ascii: "b"): characters.append(0x08)
        case UInt8(ascii: "f"): characters.append(0x0C)
        case UInt8(ascii: "n"): characters.append(0x0A)
        case UInt8(ascii: "r"): characters.append(0x0D)
        case UInt8(ascii: "t"): characters.append(0x09)
        case UInt8(ascii: "u"):
            guard let scalar = Unicode.Scalar(try codePoint(from: start)) else {
                throw JSONError(.loneSurrogate, at: start)
            }
            characters += UTF8.encode(scalar).map { Array($0) } ?? []
        default: throw JSONError(.badEscape, at: start)
        }
    }

    /// Reads the code point of a `\u` escape, both halves of a surrogate pair together; `start` is the offset of the
    /// escape.
    private mutating func codePoint(from start: Int) throws(JSONError) -> UInt32 {
        let unit = try hexadecimal(from: start)
        guard (0xD800...0xDBFF).contains(unit) else { return unit }
        guard try takeIf(UInt8(ascii: "\\")), try takeIf(UInt8(ascii: "u")) else {
            throw JSONError(.loneSurrogate, at: start)
        }
        let low = try hexadecimal(from: start)
        guard (0xDC00...0xDFFF).contains(low) else { throw JSONError(.loneSurrogate, at: start) }
        return 0x1_0000 + (unit - 0xD800) << 10 + (low - 0xDC00)
    }

    private mutating func hexadecimal(from start: Int) throws(JSONError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            let digit: UInt8
            switch try peek() {
            case let c where Self.isDigit(c): digit = c - UInt8(ascii: "0")
            case let c where (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(c | 0x20):
                digit = (c | 0x20) - UInt8(ascii: "a") + 10
            default: throw JSONError(.badEscape, at: start)
            }
            value = value << 4 | UInt32(digit)
            offset += 1
        }
        return value
    }

    // MARK: Bytes

    private func peek() throws(JSONError) -> UInt8 {
        guard offset < bytes.count else { throw JSONError(.truncated, at: bytes.count) }
        return bytes[offset]
    }

    /// Consumes the next byte if it equals `byte`; throws at the end of the text.
    private mutating func takeIf(_ byte: UInt8) throws(JSONError) -> Bool {
        guard try peek() == byte else { return false }
        offset += 1
        return true
    }

    private mutating func skipSpace() {
        while offset < bytes.count {
            switch bytes[offset] {
            case 0x20, 0x09, 0x0A, 0x0D: offset += 1
            default: return
            }
        }
    }
}
