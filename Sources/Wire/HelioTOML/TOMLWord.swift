/// Values that are written without quotes: booleans and decimal numbers.
enum TOMLWord {
    /// Returns the value of a word of bare characters, dots, colons and plus signs.
    static func value(of word: String) throws(TOMLError.Reason) -> TOMLValue {
        switch word {
        case "true": return .boolean(true)
        case "false": return .boolean(false)
        case "inf", "+inf", "-inf", "nan", "+nan", "-nan": throw .unsupported(.notFinite)
        default: break
        }
        let bytes = Array(word.utf8)
        let isSigned = bytes.first == UInt8(ascii: "-") || bytes.first == UInt8(ascii: "+")
        let digits = bytes.dropFirst(isSigned ? 1 : 0)
        guard let first = digits.first, isDigit(first) else { throw isSigned ? .malformedNumber : .unquoted }
        if first == UInt8(ascii: "0"), let second = digits.dropFirst().first, "xob".utf8.contains(second) {
            throw .unsupported(.otherBase)
        }
        if word.utf8.contains(UInt8(ascii: ":")) || isDate(digits) { throw .unsupported(.date) }
        return try number(digits, isNegative: bytes.first == UInt8(ascii: "-"))
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    /// True for four digits and a hyphen.
    private static func isDate(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.count > 4 && bytes.prefix(4).allSatisfy(isDigit) && bytes.dropFirst(4).first == UInt8(ascii: "-")
    }

    /// Reads `digits[.digits][e[+-]digits]` (TOML 1.0, "Integer" and "Float").
    private static func number(_ bytes: ArraySlice<UInt8>, isNegative: Bool) throws(TOMLError.Reason) -> TOMLValue {
        var rest = bytes
        var text = isNegative ? "-" : ""
        let whole = try takeDigits(&rest)
        guard whole.utf8.count == 1 || whole.utf8.first != UInt8(ascii: "0") else { throw .malformedNumber }
        text += whole
        if rest.isEmpty {
            guard let value = Int64(text) else { throw .numberTooLarge }
            return .integer(value)
        }
        if rest.first == UInt8(ascii: ".") {
            rest.removeFirst()
            text += "." + (try takeDigits(&rest))
        }
        if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
            rest.removeFirst()
            text += "e"
            if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") {
                text += rest.removeFirst() == UInt8(ascii: "-") ? "-" : ""
            }
            text += try takeDigits(&rest)
        }
        // A word such as 20M is text that lacks its quotes.
        guard rest.isEmpty else { throw .unquoted }
        guard let value = Double(text), value.isFinite else { throw .numberTooLarge }
        return .float(value)
    }

    /// Takes digits, which may have single underscores between them.
    private static func takeDigits(_ bytes: inout ArraySlice<UInt8>) throws(TOMLError.Reason) -> String {
        var text: [UInt8] = []
        while let byte = bytes.first {
            if isDigit(byte) {
                text.append(byte)
            } else if byte == UInt8(ascii: "_"), !text.isEmpty, let next = bytes.dropFirst().first, isDigit(next) {
                text.append(next)
                bytes.removeFirst()
            } else {
                break
            }
            bytes.removeFirst()
        }
        guard !text.isEmpty else { throw .malformedNumber }
        return String(decoding: text, as: UTF8.self)
    }
}
