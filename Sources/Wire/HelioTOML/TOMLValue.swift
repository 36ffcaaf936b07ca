/// A value of the subset of TOML that `TOMLDocument` reads.
package enum TOMLValue: Hashable, Sendable {
    case string(String)
    case integer(Int64)
    case float(Double)
    case boolean(Bool)
    /// Values of any of the other kinds.
    case array([TOMLValue])

    /// The value as TOML text. Arrays are on one line.
    package var text: String {
        switch self {
        case .string(let string): Self.quoted(string)
        case .integer(let number): String(number)
        // Swift writes numbers as TOML does, but for those that are not finite, which no document has.
        case .float(let number): number.description
        case .boolean(let flag): flag ? "true" : "false"
        case .array(let values): "[" + values.map(\.text).joined(separator: ", ") + "]"
        }
    }

    /// A text as a basic string (TOML 1.0, "String").
    private static func quoted(_ string: String) -> String {
        var text = "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                let digits = String(scalar.value, radix: 16, uppercase: true)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text + "\""
    }
}
