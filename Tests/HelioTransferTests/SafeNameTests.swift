import Foundation
import HelioCore
import HelioTransfer
import Testing

/// Tests of the vectors in `Testing/Vectors/names.json`, whose `about` explains them.
struct SafeNameTests {
    private struct Vectors: Decodable {
        var cleaned: [Name]
        var numbered: [Name]
    }

    struct Name: Decodable, Sendable, CustomTestStringConvertible {
        var name: String
        var becomes: String

        var testDescription: String { name }
    }

    private static func load() throws -> Vectors {
        let file = URL(filePath: #filePath).appending(path: "../../../Testing/Vectors/names.json").standardized
        return try JSONDecoder().decode(Vectors.self, from: Data(contentsOf: file))
    }

    private static let vectors = try? load()

    @Test func vectorsAreThere() throws {
        let vectors = try Self.load()
        #expect(vectors.cleaned.count >= 40 && vectors.numbered.count >= 5)
    }

    @Test("Names become such as any system can have", arguments: vectors?.cleaned ?? [])
    func cleaning(name: Name) {
        #expect(SafeName(cleaning: name.name).text == name.becomes)
    }

    @Test("A long name is cut between characters, and its extension stays")
    func long() {
        let astronaut = "👩🏽‍🚀"
        let name = SafeName(cleaning: String(repeating: astronaut, count: 40) + ".jpeg").text
        #expect(name.utf8.count <= SafeName.mostBytes && name.hasSuffix(".jpeg"))
        #expect(name.dropLast(5).allSatisfy { String($0) == astronaut })
        let plain = SafeName(cleaning: String(repeating: "a", count: 300)).text
        #expect(plain == String(repeating: "a", count: 200))
        // A single character that is longer than a name may be.
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

    @Test("A number goes before the extension", arguments: vectors?.numbered ?? [])
    func numbers(name: Name) {
        #expect(SafeName(cleaning: name.name).numbered(2) == name.becomes)
    }
}
