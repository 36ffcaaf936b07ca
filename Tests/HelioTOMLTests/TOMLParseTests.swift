import Testing

@testable import HelioTOML

@Suite struct TOMLParseTests {
    private static func read(_ text: String) throws(TOMLError) -> TOMLDocument {
        try TOMLDocument(parsing: Array(text.utf8))
    }

    /// Values as "TOML 1.0" writes them.
    @Test(arguments: [
        ("\"a\\tb \\u00e9 \\U0001F600 \\\"\\\\\"", TOMLValue.string("a\tb é 😀 \"\\")),
        ("'C:\\x \"y\"'", .string("C:\\x \"y\"")),
        ("\"\"", .string("")), ("''", .string("")), ("\"# no comment\"", .string("# no comment")),
        ("0", .integer(0)), ("+99", .integer(99)), ("-17", .integer(-17)), ("1_000_000", .integer(1_000_000)),
        ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
        ("3.5", .float(3.5)), ("-0.01", .float(-0.01)), ("5e+22", .float(5e22)), ("1E06", .float(1e6)),
        ("6.626e-34", .float(6.626e-34)), ("1_0.2_5", .float(10.25)),
        ("true", .boolean(true)), ("false", .boolean(false)),
        ("[]", .array([])), ("[ 1, 'a' , true, ]", .array([.integer(1), .string("a"), .boolean(true)])),
        ("[ # one\n 1,\r\n\n 2 # two\n]", .array([.integer(1), .integer(2)])),
    ])
    func values(_ text: String, _ value: TOMLValue) throws {
        #expect(try Self.read("key = \(text)").entry("", "key")?.value == value)
        #expect(try Self.read("\t key=\(text) # why\r\nb = 1\n").entry("", "key")?.value == value)
        // As it is written again.
        #expect(try Self.read("key = \(value.text)").entry("", "key")?.value == value)
    }

    @Test func tablesAndLines() throws {
        let document = try Self.read(
            "# first\na = 1\n\n[one] # t\n'b c' = [\n1]\n\"d\\u0065\" = 2\n\n[ \"two\" ]\r\na=3")
        #expect(document.entries.map(\.table) == ["", "one", "one", "two"])
        #expect(document.entries.map(\.key) == ["a", "b c", "de", "a"])
        #expect(document.entries.map(\.line) == [2, 5, 7, 10])
        #expect(document.tableNames.map(\.name) == ["one", "two"])
        #expect(document.tableNames.map(\.line) == [4, 9])
    }

    @Test func emptyTexts() throws {
        for text in ["", "\n", "# a", "\u{FEFF}", "\u{FEFF}# a\r\n", " \t\n\n"] {
            #expect(try Self.read(text).entries.isEmpty)
        }
    }

    @Test(arguments: [
        ("a", 1, TOMLError.Reason.expectedEquals(key: "a")), ("\na b = 1", 2, .expectedEquals(key: "a")),
        ("= 1", 1, .expectedKey), ("ä = 1", 1, .expectedKey), (", ", 1, .expectedKey),
        ("a =", 1, .missingValue(key: "a")),
        ("a = # 1", 1, .missingValue(key: "a")), ("a = [1,,2]", 1, .missingValue(key: "a")), ("a = off", 1, .unquoted),
        ("a = 20M", 1, .unquoted), ("a = ~/x", 1, .unquoted), ("a = [b]", 1, .unquoted), ("a = TRUE", 1, .unquoted),
        ("a = -", 1, .malformedNumber), ("a = 01", 1, .malformedNumber), ("a = 1.", 1, .malformedNumber),
        ("a = 1e", 1, .malformedNumber), ("a = 1__0", 1, .unquoted), ("a = .5", 1, .unquoted),
        ("a = 9223372036854775808", 1, .numberTooLarge), ("a = 1e999", 1, .numberTooLarge),
        ("a = \"b", 1, .unterminatedString), ("a = 'b\nc = 1", 1, .unterminatedString),
        ("a = \"b\\", 1, .unterminatedString),
        ("a = \"\\x\"", 1, .unknownEscape), ("a = \"\\u12\"", 1, .unknownEscape),
        ("a = \"\\ud800\"", 1, .unknownEscape),
        ("a = \"\\U00110000\"", 1, .unknownEscape), ("a = \"\\u+123\"", 1, .unknownEscape),
        ("[a", 1, .unterminatedHeader), ("[]", 1, .expectedKey), ("[\"\"]", 1, .unterminatedHeader),
        ("a = [1\nb = 2", 2, .expectedComma), ("\na = [1,\n2", 2, .unterminatedArray), ("a = [1 2]", 1, .expectedComma),
        ("a = 1 b = 2", 1, .trailingText), ("[a] b = 1", 1, .trailingText), ("a = 'b' c", 1, .trailingText),
        ("a = 1\n\na = 2", 3, .duplicateKey("a", line: 1)), ("a = 1\n\"a\" = 2", 2, .duplicateKey("a", line: 1)),
        ("[a]\n[b]\n['a']", 3, .duplicateTable("a", line: 1)),
        ("[[a]]", 1, .unsupported(.arrayOfTables)), ("a.b = 1", 1, .unsupported(.dottedKey)),
        ("[a.b]", 1, .unsupported(.nestedTable)), ("a = \"\"\"b\"\"\"", 1, .unsupported(.multilineString)),
        ("a = '''b'''", 1, .unsupported(.multilineString)), ("a = { b = 1 }", 1, .unsupported(.inlineTable)),
        ("a = [[1]]", 1, .unsupported(.nestedArray)), ("a = 1979-05-27", 1, .unsupported(.date)),
        ("a = 07:32:00", 1, .unsupported(.date)), ("a = 0xFF", 1, .unsupported(.otherBase)),
        ("a = 0o7", 1, .unsupported(.otherBase)), ("a = -inf", 1, .unsupported(.notFinite)),
        ("a = nan", 1, .unsupported(.notFinite)), ("a = 1\nb = \"\u{7}\"", 2, .controlCharacter),
        ("a = 1\rb = 2", 1, .controlCharacter), ("a = \"\u{0}\"", 1, .controlCharacter),
    ])
    func malformed(_ text: String, _ line: Int, _ reason: TOMLError.Reason) throws {
        let error = #expect(throws: TOMLError.self) { try Self.read(text) }
        #expect(error == TOMLError(line: line, reason: reason))
        #expect(error?.sentence.hasSuffix(".") == true)
    }

    @Test func bytesThatAreNoText() {
        let error = #expect(throws: TOMLError.self) {
            try TOMLDocument(parsing: Array("a = 1\nb = \"".utf8) + [0xFF, 0x22])
        }
        #expect(error == TOMLError(line: 2, reason: .notUTF8))
    }

    @Test func limits() {
        let limits = TOMLLimits(bytes: 40, entries: 2, items: 2)
        let cases: [(String, TOMLError.Reason)] = [
            (String(repeating: " ", count: 41), .tooLarge(limit: 40)), ("a=1\nb=2\nc=3", .tooManyEntries(limit: 2)),
            ("[a]\n[b]\n[c]", .tooManyEntries(limit: 2)), ("a=[1,2,3]", .tooManyItems(limit: 2)),
        ]
        for (text, reason) in cases {
            let error = #expect(throws: TOMLError.self) { try TOMLDocument(parsing: Array(text.utf8), limits: limits) }
            #expect(error?.reason == reason)
        }
    }
}
