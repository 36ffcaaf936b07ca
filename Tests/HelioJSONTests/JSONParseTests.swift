import Foundation
import HelioCore
import HelioJSON
import Testing

@Suite("JSON, reading")
struct JSONParseTests {
    private static let limits = JSONLimits(bytes: 4096)

    private static func parse(_ text: String) throws(JSONError) -> JSON {
        try JSON(parsing: Array(text.utf8), limits: limits)
    }

    private static func object(_ members: (String, JSON)...) -> JSON {
        var object = JSONObject()
        for (name, value) in members { object[name] = value }
        return .object(object)
    }

    /// A valid text, and its value.
    struct Good: Sendable, CustomTestStringConvertible {
        var text: String
        var value: JSON
        init(_ text: String, _ value: JSON) {
            self.text = text
            self.value = value
        }
        var testDescription: String { text }
    }

    @Test(arguments: [
        Good("null", .null),
        Good("true", .bool(true)),
        Good(" \t\r\nfalse \t\r\n", .bool(false)),
        Good("0", .number(0)),
        Good("-0", .number(-0.0)),
        Good("-12", .number(-12)),
        Good("2.0", .number(2)),
        Good("0.8", .number(0.8)),
        Good("1e3", .number(1000)),
        Good("1E+03", .number(1000)),
        Good("125e-2", .number(1.25)),
        Good("9007199254740991", .number(9_007_199_254_740_991)),
        Good("1.7976931348623157e308", .number(.greatestFiniteMagnitude)),
        Good("5e-324", .number(.leastNonzeroMagnitude)),
        Good("1e-999", .number(0)),
        Good("\"\"", .string("")),
        Good(#""a\"b\\c\/d\b\f\n\r\te""#, .string("a\"b\\c/d\u{8}\u{c}\n\r\te")),
        Good(#""\u0041\u00e9\u00C9\u20ac\u0000""#, .string("Aé\u{C9}€\0")),
        Good(#""\ud83d\uDE00""#, .string("😀")),
        Good(#""\ud800\udc00\udbff\udfff""#, .string("\u{10000}\u{10FFFF}")),
        Good("\"é€😀\u{7F}\u{2028}\"", .string("é€😀\u{7F}\u{2028}")),
        Good("[]", .array([])),
        Good("[ ]", .array([])),
        Good("[1,[2,[]],\"3\"]", .array([.number(1), .array([.number(2), .array([])]), .string("3")])),
        Good("{}", .object(JSONObject())),
        Good("{ }", .object(JSONObject())),
        Good(#"{"b":1 , "a" : {"":null}}"#, object(("b", .number(1)), ("a", object(("", .null))))),
        // Two encodings of the same character are two names.
        Good("{\"\u{E9}\":1,\"e\u{301}\":2}", object(("\u{E9}", .number(1)), ("e\u{301}", .number(2)))),
    ])
    func reads(_ good: Good) throws {
        #expect(try Self.parse(good.text) == good.value)
    }

    /// An invalid text, with the error and its offset.
    struct Bad: Sendable, CustomTestStringConvertible {
        var bytes: [UInt8]
        var error: JSONError
        init(_ text: String, _ reason: JSONError.Reason, _ offset: Int) {
            self.init(Array(text.utf8), reason, offset)
        }
        init(_ bytes: [UInt8], _ reason: JSONError.Reason, _ offset: Int) {
            self.bytes = bytes
            error = JSONError(reason, at: offset)
        }
        var testDescription: String { "\(String(decoding: bytes, as: UTF8.self)): \(error)" }
    }

    @Test(arguments: [
        Bad("", .truncated, 0),
        Bad("  ", .truncated, 2),
        Bad("\u{FEFF}1", .unexpected, 0),
        Bad("\u{A0}1", .unexpected, 0),
        Bad("nul", .truncated, 3),
        Bad("nulL", .unexpected, 3),
        Bad("True", .unexpected, 0),
        Bad("nullx", .trailing, 4),
        Bad("1 2", .trailing, 2),
        Bad("{}}", .trailing, 2),
        Bad("NaN", .unexpected, 0),
        Bad("Infinity", .unexpected, 0),
        Bad("-Infinity", .badNumber, 1),
        Bad("+1", .unexpected, 0),
        Bad(".5", .unexpected, 0),
        Bad("-", .truncated, 1),
        Bad("-a", .badNumber, 1),
        Bad("01", .badNumber, 1),
        Bad("-01", .badNumber, 2),
        Bad("1.", .truncated, 2),
        Bad("1.]", .badNumber, 2),
        Bad("1.e3", .badNumber, 2),
        Bad("1e", .truncated, 2),
        Bad("1e+", .truncated, 3),
        Bad("[1e+]", .badNumber, 4),
        Bad("0x10", .trailing, 1),
        Bad("1_000", .trailing, 1),
        Bad("[1e309]", .numberTooLarge, 1),
        Bad("-1e999999999999", .numberTooLarge, 0),
        Bad("'a'", .unexpected, 0),
        Bad("\"a", .truncated, 2),
        Bad("\"a\nb\"", .controlCharacter, 2),
        Bad("\"a\u{1F}\"", .controlCharacter, 2),
        Bad("\"\0\"", .controlCharacter, 1),
        Bad(#""\"#, .truncated, 2),
        Bad(#""\x41""#, .badEscape, 1),
        Bad(#""\U0041""#, .badEscape, 1),
        Bad(#""\u00g0""#, .badEscape, 1),
        Bad(#""\u004"#, .truncated, 6),
        Bad(#""a\ud83d""#, .loneSurrogate, 2),
        Bad(#""\ud83d\n""#, .loneSurrogate, 1),
        Bad(#""\ud83dx""#, .loneSurrogate, 1),
        Bad(#""\ud83d\u0041""#, .loneSurrogate, 1),
        Bad(#""\ud83d\ud83d""#, .loneSurrogate, 1),
        Bad(#""\ude00""#, .loneSurrogate, 1),
        Bad(#""\ude00\ud83d""#, .loneSurrogate, 1),
        Bad([0x22, 0x80, 0x22], .notUTF8, 0),
        Bad([0x20, 0x22, 0x61, 0xC3, 0x22], .notUTF8, 1),
        // Overlong, a surrogate, and beyond U+10FFFF.
        Bad([0x22, 0xC0, 0xAF, 0x22], .notUTF8, 0),
        Bad([0x22, 0xED, 0xA0, 0x80, 0x22], .notUTF8, 0),
        Bad([0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], .notUTF8, 0),
        Bad([0xFF], .unexpected, 0),
        Bad("[", .truncated, 1),
        Bad("[1", .truncated, 2),
        Bad("[1,", .truncated, 3),
        Bad("[1,]", .unexpected, 3),
        Bad("[,1]", .unexpected, 1),
        Bad("[1 2]", .unexpected, 3),
        Bad("[1}", .unexpected, 2),
        Bad("{", .truncated, 1),
        Bad("{1:2}", .unexpected, 1),
        Bad("{a:2}", .unexpected, 1),
        Bad(#"{"a"}"#, .unexpected, 4),
        Bad(#"{"a":}"#, .unexpected, 5),
        Bad(#"{"a":1,}"#, .unexpected, 7),
        Bad(#"{"a":1;"b":2}"#, .unexpected, 6),
        Bad(#"{"a":1,"b":2,"\u0061":3}"#, .duplicateName, 13),
        Bad("// 1\n1", .unexpected, 0),
        Bad("[1,/**/2]", .unexpected, 3),
    ])
    func refuses(_ bad: Bad) {
        #expect(throws: bad.error) { try JSON(parsing: bad.bytes, limits: Self.limits) }
    }

    @Test func everyReasonIsNamedOnce() {
        #expect(Set(JSONError.Reason.allCases.map(\.rawValue)).count == JSONError.Reason.allCases.count)
    }

    @Test func everyBeginningIsTruncated() throws {
        let text = #"{"a":[1,-2.5e+3,true,null,{"bé\u00e9\ud83d\ude00\n":"c"}],"d":{}}"#
        let bytes = Array(text.utf8)
        _ = try JSON(parsing: bytes, limits: Self.limits)
        for count in 0..<bytes.count {
            #expect(throws: JSONError(.truncated, at: count)) {
                try JSON(parsing: Array(bytes[..<count]), limits: Self.limits)
            }
        }
    }

    // MARK: Limits

    @Test func textsPastTheirLengthAreRefused() throws {
        let bytes = Array("[1,2]".utf8)
        _ = try JSON(parsing: bytes, limits: JSONLimits(bytes: 5))
        #expect(throws: JSONError(.tooLong, at: 4)) { try JSON(parsing: bytes, limits: JSONLimits(bytes: 4)) }
        #expect(throws: JSONError(.tooLong, at: 0)) { try JSON(parsing: bytes, limits: JSONLimits(bytes: -1)) }
    }

    @Test(arguments: [("[", "]"), ("{\"a\":", "}")])
    func depthIsBounded(open: String, close: String) throws {
        func nested(_ depth: Int) -> [UInt8] {
            Array((repeatElement(open, count: depth) + ["1"] + repeatElement(close, count: depth)).joined().utf8)
        }
        let limits = JSONLimits(bytes: 1_000_000, depth: 16, values: 1_000_000)
        _ = try JSON(parsing: nested(16), limits: limits)
        #expect(throws: JSONError(.tooDeep, at: 16 * open.utf8.count)) { try JSON(parsing: nested(17), limits: limits) }
        // The depth is bounded by the stack, whatever limit the caller sets.
        let boundless = JSONLimits(bytes: .max, depth: .max, values: .max)
        _ = try JSON(parsing: nested(64), limits: boundless)
        #expect(throws: JSONError(.tooDeep, at: 64 * open.utf8.count)) {
            try JSON(parsing: nested(100_000), limits: boundless)
        }
    }

    @Test func valuesAreCounted() throws {
        let limits = JSONLimits(bytes: 4096, values: 5)
        _ = try JSON(parsing: Array("[1,[2],3]".utf8), limits: limits)
        #expect(throws: JSONError(.tooManyValues, at: 9)) {
            try JSON(parsing: Array("[1,[2],3,4]".utf8), limits: limits)
        }
        #expect(throws: JSONError(.tooManyValues, at: 0)) {
            try JSON(parsing: Array("1".utf8), limits: JSONLimits(bytes: 4096, values: 0))
        }
    }

    /// Short decimals have a fast path of their own.
    @Test(arguments: 0..<20)
    func decimalsAreTheNearestDouble(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        for _ in 0..<500 {
            let sign = Bool.random(using: &random) ? "-" : ""
            let whole = String(UInt64.random(in: 0..<(1 << UInt64.random(in: 0...62, using: &random)), using: &random))
            let fraction = (0..<Int.random(in: 0...18, using: &random)).map { _ in
                String(Int.random(in: 0...9, using: &random))
            }
            let text = sign + whole + (fraction.isEmpty ? "" : "." + fraction.joined())
            let expected = Double(text)
            guard case .number(let number) = try Self.parse(text) else { throw JSONError(.badNumber, at: 0) }
            #expect(number.bitPattern == expected?.bitPattern, "\(text)")
        }
    }

    @Test(arguments: [1, 2, 15, 16, 17, 40])
    func eachNameIsThereOnce(count: Int) throws {
        let members = (0..<count).map { "\"n\($0)\":0," }.joined()
        #expect(throws: Never.self) { try Self.parse("{\(members)\"n\":0}") }
        for repeated in 0..<count {
            #expect(throws: JSONError(.duplicateName, at: members.utf8.count + 1)) {
                try Self.parse("{\(members)\"n\(repeated)\":0}")
            }
        }
    }
}
