import Testing

@testable import HelioTerminal

@Suite("Lines for a terminal")
struct TerminalTextTests {
    static let full = OutputAbilities(environment: ["TERM": "xterm", "LANG": "C.UTF-8"], isTerminal: true)
    static let dumb = OutputAbilities(environment: ["TERM": "dumb"], isTerminal: true)
    static let file = OutputAbilities(environment: [:], isTerminal: false)

    @Test("parts stand out where that shows, and nowhere else")
    func styles() {
        let line = TerminalText("Open ") + TerminalText("http://a", .bold) + TerminalText("", .dim)
        #expect(line.shown(by: Self.full) == "Open \u{1B}[1mhttp://a\u{1B}[0m")
        #expect(line.shown(by: Self.dumb) == "Open http://a")
        #expect(line.shown(by: Self.file) == "Open http://a")
    }

    @Test(
        "what others call themselves moves no cursor and turns no words round",
        arguments: [
            ("a\u{1B}[2Jb", "a?[2Jb"), ("a\rb", "a?b"), ("a\u{9B}31mb", "a?31mb"), ("a\u{202E}b", "a?b"),
            ("a\u{7F}b", "a?b"), ("a\tb", "a b"), ("\u{1B}]0;title\u{07}", "?]0;title?"), ("a\u{2028}b", "a?b"),
        ])
    func control(_ name: String, _ shown: String) {
        for output in [Self.full, Self.dumb, Self.file] { #expect(TerminalText(name).shown(by: output) == shown) }
    }

    @Test("in a locale without Unicode no byte is beyond ASCII")
    func ascii() {
        let shown = TerminalText("● Zoë · Jürgen … 日本").shown(by: Self.dumb)
        #expect(shown == "* Zo? - Juergen ... ??")
        #expect(TerminalText("● Zoë 👩‍💻").shown(by: Self.full) == "● Zoë 👩‍💻")
    }

    @Test("a line for programs is as it is, but on a terminal")
    func data() {
        let line = TerminalText("{\"name\":\"a\u{202E}\u{9B}\"}", .data)
        #expect(line.shown(by: Self.file) == "{\"name\":\"a\u{202E}\u{9B}\"}")
        #expect(line.shown(by: Self.full) == "{\"name\":\"a??\"}")
    }

    @Test(
        "a row is cut before its last column, wide signs and all",
        arguments: [(6, "ab日"), (5, "ab日"), (4, "ab"), (1, "")])
    func cut(columns: Int, shown: String) {
        let expected = columns == 6 ? "ab日c" : shown
        #expect(TerminalText("ab日cdef").shown(by: Self.full, inColumns: columns) == expected)
    }
}
