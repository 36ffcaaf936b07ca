/// The parser of `TOMLDocument`.
struct TOMLParser {
    /// The byte order mark with which some editors begin UTF-8.
    static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

    private let bytes: [UInt8]
    private let limits: TOMLLimits
    private var position = 0
    private var line = 1
    private(set) var entries: [TOMLEntry] = []
    private(set) var tables: [TOMLTable] = []
    /// The lines of the keys and tables so far, by name.
    private var keys: [String: Int] = [:]
    private var names: [String: Int] = [:]

    init(_ bytes: [UInt8], _ limits: TOMLLimits) {
        self.bytes = bytes
        self.limits = limits
    }

    mutating func parse() throws(TOMLError) {
        guard bytes.count <= limits.bytes else { throw error(.tooLarge(limit: limits.bytes)) }
        try checkText()
        if bytes.starts(with: Self.mark) { position = Self.mark.count }
        while position < bytes.count {
            let start = position
            skipBlanks()
            switch current {
            case nil, UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "#"): try endLine()
            case UInt8(ascii: "["): try parseHeader(from: start)
            default: try parseEntry(from: start)
            }
        }
        if let last = tables.indices.last { tables[last].end = bytes.count }
    }

    /// Checks that each line is UTF-8 without control characters.
    private func checkText() throws(TOMLError) {
        var start = 0
        var number = 1
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
            let text = bytes[start..<end]
            guard String(validating: text, as: UTF8.self) != nil else {
                throw TOMLError(line: number, reason: .notUTF8)
            }
            // A carriage return is part of the line's end, and nowhere else.
            let shown = end < bytes.count && text.last == UInt8(ascii: "\r") ? text.dropLast() : text
            if shown.contains(where: { $0 < 0x20 && $0 != UInt8(ascii: "\t") || $0 == 0x7F }) {
                throw TOMLError(line: number, reason: .controlCharacter)
            }
            start = end + 1
            number += 1
        }
    }

    // MARK: Lines

    private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    private func error(_ reason: TOMLError.Reason) -> TOMLError { TOMLError(line: line, reason: reason) }

    private func starts(with text: StaticString) -> Bool {
        bytes[position...].starts(with: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    private mutating func skipBlanks() {
        while let byte = current, byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") { position += 1 }
    }

    /// Reads a comment, if there is one, and the end of the line.
    private mutating func endLine() throws(TOMLError) {
        skipBlanks()
        if current == UInt8(ascii: "#") {
            while let byte = current, byte != UInt8(ascii: "\n") { position += 1 }
        }
        if current == UInt8(ascii: "\r") { position += 1 }
        guard let byte = current else { return }
        guard byte == UInt8(ascii: "\n") else { throw error(.trailingText) }
        position += 1
        line += 1
    }

    private mutating func parseHeader(from start: Int) throws(TOMLError) {
        if starts(with: "[[") { throw error(.unsupported(.arrayOfTables)) }
        let number = line
        position += 1
        skipBlanks()
        let name = try parseKey()
        skipBlanks()
        if current == UInt8(ascii: ".") { throw error(.unsupported(.nestedTable)) }
        guard current == UInt8(ascii: "]"), !name.isEmpty else { throw error(.unterminatedHeader) }
        position += 1
        try endLine()
        if let earlier = names[name] {
            throw TOMLError(line: number, reason: .duplicateTable(name, line: earlier))
        }
        try checkCount(number)
        names[name] = number
        keys = [:]
        if let last = tables.indices.last { tables[last].end = start }
        tables.append(TOMLTable(name: name, line: number, header: start, start: position, end: position))
    }

    private mutating func parseEntry(from start: Int) throws(TOMLError) {
        let number = line
        let key = try parseKey()
        skipBlanks()
        if current == UInt8(ascii: ".") { throw error(.unsupported(.dottedKey)) }
        guard current == UInt8(ascii: "=") else { throw error(.expectedEquals(key: key)) }
        position += 1
        skipBlanks()
        let begin = position
        let value = try parseValue(of: key)
        let range = begin..<position
        try endLine()
        if let earlier = keys[key] { throw TOMLError(line: number, reason: .duplicateKey(key, line: earlier)) }
        try checkCount(number)
        keys[key] = number
        entries.append(
            TOMLEntry(
                table: tables.last?.name ?? "", key: key, value: value, line: number, valueRange: range,
                lines: start..<position))
    }

    private func checkCount(_ number: Int) throws(TOMLError) {
        guard entries.count + tables.count < limits.entries else {
            throw TOMLError(line: number, reason: .tooManyEntries(limit: limits.entries))
        }
    }

    static func isBare(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }

    private mutating func parseKey() throws(TOMLError) -> String {
        switch current {
        case UInt8(ascii: "\""): return try parseBasicString()
        case UInt8(ascii: "'"): return try parseLiteralString()
        default:
            let start = position
            while let byte = current, Self.isBare(byte) { position += 1 }
            guard position > start else { throw error(.expectedKey) }
            return String(decoding: bytes[start..<position], as: UTF8.self)
        }
    }

    // MARK: Values

    private mutating func parseValue(of key: String) throws(TOMLError) -> TOMLValue {
        switch current {
        case nil, UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "#"): throw error(.missingValue(key: key))
        case UInt8(ascii: "["): return try parseArray(of: key)
        default: return try parseScalar()
        }
    }

    private mutating func parseScalar() throws(TOMLError) -> TOMLValue {
        switch current {
        case UInt8(ascii: "\""): return .string(try parseBasicString())
        case UInt8(ascii: "'"): return .string(try parseLiteralString())
        case UInt8(ascii: "{"): throw error(.unsupported(.inlineTable))
        default:
            let start = position
            while let byte = current, Self.isBare(byte) || ".:+".utf8.contains(byte) { position += 1 }
            do throws(TOMLError.Reason) {
                return try TOMLWord.value(of: String(decoding: bytes[start..<position], as: UTF8.self))
            } catch {
                throw TOMLError(line: line, reason: error)
            }
        }
    }

    private mutating func parseArray(of key: String) throws(TOMLError) -> TOMLValue {
        let begin = line
        var values: [TOMLValue] = []
        position += 1
        while true {
            try skipLines(begin)
            if current == UInt8(ascii: "]") { break }
            if current == UInt8(ascii: "[") { throw error(.unsupported(.nestedArray)) }
            guard values.count < limits.items else { throw error(.tooManyItems(limit: limits.items)) }
            if current == UInt8(ascii: ",") { throw error(.missingValue(key: key)) }
            values.append(try parseScalar())
            try skipLines(begin)
            if current == UInt8(ascii: ",") {
                position += 1
            } else if current != UInt8(ascii: "]") {
                throw error(.expectedComma)
            }
        }
        position += 1
        return .array(values)
    }

    /// Skips blanks, comments and line ends within an array that began in a line. Throws at the end of the document.
    private mutating func skipLines(_ begin: Int) throws(TOMLError) {
        while true {
            skipBlanks()
            switch current {
            case nil: throw TOMLError(line: begin, reason: .unterminatedArray)
            case UInt8(ascii: "#"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): try endLine()
            default: return
            }
        }
    }

    private mutating func parseLiteralString() throws(TOMLError) -> String {
        if starts(with: "'''") { throw error(.unsupported(.multilineString)) }
        position += 1
        let start = position
        while let byte = current, byte != UInt8(ascii: "'"), byte != UInt8(ascii: "\n") { position += 1 }
        guard current == UInt8(ascii: "'") else { throw error(.unterminatedString) }
        defer { position += 1 }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func parseBasicString() throws(TOMLError) -> String {
        if starts(with: "\"\"\"") { throw error(.unsupported(.multilineString)) }
        position += 1
        var text: [UInt8] = []
        while let byte = current, byte != UInt8(ascii: "\n") {
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"): text += try parseEscape()
            default: text.append(byte)
            }
        }
        throw error(.unterminatedString)
    }

    /// Reads what follows a backslash. Returns the character in UTF-8.
    private mutating func parseEscape() throws(TOMLError) -> [UInt8] {
        guard let byte = current else { throw error(.unterminatedString) }
        position += 1
        switch byte {
        case UInt8(ascii: "b"): return [0x08]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "f"): return [0x0C]
        case UInt8(ascii: "r"): return [0x0D]
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): return [byte]
        case UInt8(ascii: "u"): return try parseScalarValue(digits: 4)
        case UInt8(ascii: "U"): return try parseScalarValue(digits: 8)
        default: throw error(.unknownEscape)
        }
    }

    private mutating func parseScalarValue(digits: Int) throws(TOMLError) -> [UInt8] {
        let text = bytes[position...].prefix(digits)
        let isHexadecimal = text.allSatisfy { Character(UnicodeScalar($0)).isHexDigit && $0 < 0x80 }
        guard text.count == digits, isHexadecimal,
            let value = UInt32(String(decoding: text, as: UTF8.self), radix: 16), let scalar = UnicodeScalar(value)
        else { throw error(.unknownEscape) }
        position += digits
        return Array(String(Character(scalar)).utf8)
    }
}
