import Testing

@testable import HelioTerminal

@Suite("Text in the columns of a terminal")
struct TerminalLayoutTests {
    static let command = ["heliograph view 192.168.1.20:23010", "--code DFSV-A2BC-9KLM-PQRS"]

    @Test("a command is broken between its parts only, and can be copied")
    func commands() {
        func lines(_ columns: Int?) -> [String] { TerminalLayout.command("To watch: ", Self.command, columns: columns) }
        let whole = Self.command.joined(separator: " ")
        #expect(lines(nil) == ["To watch:  \(whole)"])
        #expect(lines(80) == ["To watch:  \(whole)"])
        #expect(lines(11 + whole.count) == ["To watch:", "  \(whole)"])
        #expect(lines(60) == ["To watch:", "  \(Self.command[0]) \\", "  \(Self.command[1])"])
        #expect(lines(30).last == "  --code DFSV-A2BC-9KLM-PQRS")
    }

    static let keys = [
        ("[t] take control", 1), ("[g] give control", 4), ("[l] who is here", 3), ("[o] QR", 2), ("[q] stop", 5),
        ("[?] more", 0),
    ].map { (text: $0.0, rank: $0.1) }

    @Test("the keys are one row, the most useful ones where not all fit")
    func rows() {
        #expect(
            TerminalLayout.row(Self.keys, columns: 80)
                == "[t] take control  [g] give control  [l] who is here  [o] QR  [q] stop  [?] more")
        #expect(TerminalLayout.row(Self.keys, columns: 30) == "[t] take control  [?] more")
        #expect(TerminalLayout.row(Self.keys, columns: 9) == "[?] more")
        #expect(TerminalLayout.row(Self.keys, columns: 8) == "[o] QR")
        #expect(TerminalLayout.row(Self.keys, columns: 6) == "")
        for columns in 1...100 { #expect(TerminalLayout.row(Self.keys, columns: columns).count < columns) }
    }

    @Test(
        "a picture needs its rows and one for the status",
        arguments: [(80, 24, true), (45, 24, true), (44, 24, false), (45, 23, false)])
    func pictures(columns: Int, rows: Int, fits: Bool) {
        let needed = TerminalLayout.windowNeeded(forPicture: (45, 23), in: (columns, rows))
        #expect((needed == nil) == fits)
        if let needed { #expect(needed.columns == 45 && needed.rows == 24) }
    }
}
