import HelioTerminal
import Testing

@Suite("What an output can show")
struct OutputAbilitiesTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var environment: [String: String]
        var isTerminal = true
        var movesCursor: Bool
        var hasStyles: Bool
        var isUnicode: Bool
    }

    static let cases = [
        Case(
            testDescription: "a usual terminal", environment: ["TERM": "xterm-256color", "LANG": "de_DE.UTF-8"],
            movesCursor: true, hasStyles: true, isUnicode: true),
        Case(
            testDescription: "a dumb terminal", environment: ["TERM": "dumb", "LANG": "C.UTF-8"], movesCursor: false,
            hasStyles: false, isUnicode: true),
        Case(
            testDescription: "no TERM", environment: ["LANG": "en_US.utf8"], movesCursor: false, hasStyles: false,
            isUnicode: true),
        Case(
            testDescription: "no colour wanted", environment: ["TERM": "xterm", "NO_COLOR": "1", "LANG": "C.UTF-8"],
            movesCursor: true, hasStyles: false, isUnicode: true),
        Case(
            testDescription: "NO_COLOR without a value", environment: ["TERM": "xterm", "NO_COLOR": ""],
            movesCursor: true, hasStyles: true, isUnicode: false),
        Case(
            testDescription: "the C locale over another",
            environment: ["TERM": "linux", "LC_ALL": "C", "LANG": "C.UTF-8"],
            movesCursor: true, hasStyles: true, isUnicode: false),
        Case(
            testDescription: "an empty LC_ALL counts for nothing",
            environment: ["TERM": "linux", "LC_ALL": "", "LC_CTYPE": "en_GB.UTF-8", "LANG": "C"], movesCursor: true,
            hasStyles: true, isUnicode: true),
        Case(
            testDescription: "a file", environment: ["TERM": "xterm", "LANG": "C"], isTerminal: false,
            movesCursor: false, hasStyles: false, isUnicode: true),
    ]

    @Test("TERM, NO_COLOR and the locale decide", arguments: cases)
    func environment(_ example: Case) {
        let found = OutputAbilities(environment: example.environment, isTerminal: example.isTerminal)
        #expect(found.movesCursor == example.movesCursor)
        #expect(found.hasStyles == example.hasStyles)
        #expect(found.isUnicode == example.isUnicode)
    }
}
