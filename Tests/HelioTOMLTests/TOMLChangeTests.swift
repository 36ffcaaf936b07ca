import HelioTOML
import Testing

@Suite struct TOMLChangeTests {
    private static func changed(
        _ text: String, _ change: (TOMLDocument) throws(TOMLError) -> TOMLDocument
    ) throws -> String {
        String(decoding: try change(TOMLDocument(parsing: Array(text.utf8))).bytes, as: UTF8.self)
    }

    @Test(arguments: [
        // A value in place, with what stands around it.
        ("[share]\n fps  =  60 # most\n#x\n", "[share]\n fps  =  30 # most\n#x\n"),
        ("[share]\nfps = [\n1, # one\n2]\n\n[view]\n", "[share]\nfps = 30\n\n[view]\n"),
        // Below its comment, in its own table alone.
        ("#fps = 1\n[view]\n# fps = 2\n[share]\n#fpss = 3\n# fps = 4\nb = 1\n", nil),
        // A new key goes behind the table's last key, or below the table's header.
        ("[share]\na = 1\n\n# of view\n[view]\nfps = 1\n", "[share]\na = 1\nfps = 30\n\n# of view\n[view]\nfps = 1\n"),
        ("[share]", "[share]\nfps = 30\n"), ("[share]\na = 1", "[share]\na = 1\nfps = 30\n"),
        ("[share]\n#fps = 60", "[share]\n#fps = 60\nfps = 30\n"),
        // In a table that is not there yet.
        ("", "[share]\nfps = 30\n"), ("a = 1", "a = 1\n\n[share]\nfps = 30\n"),
        ("a = [\n#fps = 1\n]\n", "a = [\n#fps = 1\n]\n\n[share]\nfps = 30\n"),
    ])
    func keysOfATable(_ text: String, _ wanted: String?) throws {
        let wanted = wanted ?? "#fps = 1\n[view]\n# fps = 2\n[share]\n#fpss = 3\n# fps = 4\nfps = 30\nb = 1\n"
        #expect(
            try Self.changed(text) { (document) throws(TOMLError) in
                try document.setting("share", "fps", to: .integer(30))
            } == wanted)
    }

    @Test(arguments: [
        ("", "name = \"a \\\"b\\\"\"\n"), ("[share]\nname = 1\n", "name = \"a \\\"b\\\"\"\n[share]\nname = 1\n"),
        ("# first\nb = 1\n[c]\n", "# first\nb = 1\nname = \"a \\\"b\\\"\"\n[c]\n"),
        ("\u{FEFF}[c]\n", "\u{FEFF}name = \"a \\\"b\\\"\"\n[c]\n"),
    ])
    func keysAboveTheTables(_ text: String, _ wanted: String) throws {
        #expect(
            try Self.changed(text) { (document) throws(TOMLError) in
                try document.setting("", "name", to: .string("a \"b\""))
            } == wanted)
    }

    @Test(arguments: [
        ("a = 1\nfps = 60 # x\nb = 2\n", "a = 1\nb = 2\n"), ("fps = [\n1,\n2 ]", ""), ("a = 1\n", "a = 1\n"),
        ("[share]\nfps = 1\n", "[share]\nfps = 1\n"),
    ])
    func removed(_ text: String, _ wanted: String) throws {
        #expect(try Self.changed(text) { (document) throws(TOMLError) in try document.removing("", "fps") } == wanted)
    }

    @Test func quotedNames() throws {
        let document = try TOMLDocument(parsing: []).setting("a b", "c.d", to: .boolean(true))
        #expect(String(decoding: document.bytes, as: UTF8.self) == "[\"a b\"]\n\"c.d\" = true\n")
        #expect(document.entry("a b", "c.d")?.value == .boolean(true))
    }

    @Test func limitsHoldForChanges() throws {
        let document = try TOMLDocument(parsing: Array("a = 1\n".utf8), limits: TOMLLimits(bytes: 20, entries: 1))
        #expect(throws: TOMLError.self) { try document.setting("", "b", to: .integer(1)) }
        #expect(throws: TOMLError.self) {
            try document.setting("", "a", to: .string(String(repeating: "x", count: 30)))
        }
    }
}
