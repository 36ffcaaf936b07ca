import HelioCore
import HelioTransfer
import Testing

struct SafeNameTests {
    @Test(
        "Names become such as any system can have",
        arguments: [
            ("a.txt", "a.txt"), ("Grüße 你好 שלום.pdf", "Grüße 你好 שלום.pdf"), ("👩🏽‍🚀.png", "👩🏽‍🚀.png"),
            // Separators, and what Windows has for them.
            ("../../etc/passwd", "_.._etc_passwd"), ("a\\b", "a_b"), ("C:\\x", "C__x"), ("x:stream", "x_stream"),
            ("a<b>c\"d|e?f*g", "a_b_c_d_e_f_g"),
            // What is hidden, or taken for an option.
            (".bashrc", "bashrc"), ("..", "unnamed"), ("...x", "x"), ("-rf", "rf"), ("--", "unnamed"), (" . -a", "a"),
            // What Windows takes off, and what nobody sees.
            ("a. . ", "a"), ("a\u{A0}", "a"), ("a.txt\n", "a.txt_"), ("a\0b\u{7F}\u{85}c", "a_b__c"),
            ("", "unnamed"), ("\u{200D}", "unnamed"), ("\u{FEFF}a", "a"),
            // What turns the writing: `annexe.txt` that is a program.
            ("ann\u{202E}txt.exe", "anntxt.exe"), ("\u{2066}a\u{2069}", "a"), ("a\u{2028}b", "a_b"),
            // The same with a mark or a joiner on it, which Swift takes for one character; and what begins with one.
            (".\u{200D}bashrc", "bashrc"), (".\u{301}x", "x"), ("-\u{301}rf", "rf"),
            ("CON.\u{301}txt", "_CON.\u{301}txt"),
            ("\u{301}a", "a"), ("\u{20DD}-a", "a"), ("e\u{301}.txt", "e\u{301}.txt"),
            // Devices.
            ("CON", "_CON"), ("nul.txt", "_nul.txt"), ("COM1", "_COM1"), ("com¹.log", "_com¹.log"),
            ("LPT9 .x", "_LPT9 .x"),
            ("CONIN$", "_CONIN$"), ("COM10", "COM10"), ("console", "console"), ("-.con", "_con"),
        ])
    func cleaning(name: String, clean: String) {
        #expect(SafeName(cleaning: name).text == clean)
    }

    @Test("A long name is cut between characters, and its extension stays")
    func long() {
        let astronaut = "👩🏽‍🚀"
        let name = SafeName(cleaning: String(repeating: astronaut, count: 40) + ".jpeg").text
        #expect(name.utf8.count <= SafeName.mostBytes && name.hasSuffix(".jpeg"))
        #expect(name.dropLast(5).allSatisfy { String($0) == astronaut })
        let plain = SafeName(cleaning: String(repeating: "a", count: 300)).text
        #expect(plain == String(repeating: "a", count: 200))
        // A character that is longer than a name.
        let tall = SafeName(cleaning: "a" + String(repeating: "\u{301}", count: 300) + ".txt").text
        #expect(tall == "unnamed.txt")
    }

    @Test("Cleaning what is clean changes nothing, whatever it was made of")
    func again() {
        var generator = SeededGenerator(seed: 1)
        let scalars: [Unicode.Scalar] = [
            ".", "-", " ", "/", "a", "\u{202E}", "\u{200D}", "\u{301}", "👩", "\0", "C", "O", "N", "1", "\u{FEFF}",
            "\u{A0}",
        ]
        for _ in 0..<5000 {
            var text = String.UnicodeScalarView()
            for _ in 0..<Int(generator.next() % 12) {
                text.append(scalars[Int(generator.next() % UInt64(scalars.count))])
            }
            let once = SafeName(cleaning: String(text)).text
            #expect(SafeName(cleaning: once).text == once)
            #expect(once.utf8.first != 0x2E && once.utf8.first != 0x2D && once.utf8.last != 0x2E)
            #expect(!once.isEmpty && once.first != "." && once.first != "-" && once.last != "." && once.last != " ")
        }
    }

    @Test(
        "A number goes before the extension",
        arguments: [
            ("a.txt", "a (2).txt"), ("a", "a (2)"), ("a.tar.gz", "a (2).tar.gz"), ("a.b.c", "a.b (2).c"),
            ("Dr. No is a film", "Dr. No is a film (2)"),
        ])
    func numbers(name: String, numbered: String) {
        #expect(SafeName(cleaning: name).numbered(2) == numbered)
    }
}
