import HelioAppleMedia
import Testing

@Suite("Text in pieces")
struct TextChunksTests {
    private func texts(_ text: String) -> [String] {
        TextChunks.split(text).map { String(decoding: $0, as: UTF16.self) }
    }

    @Test("a piece ends between characters, not inside of them")
    func characters() {
        let family = "👨‍👩‍👧‍👦"
        #expect(texts("0123456789" + family + "x") == ["0123456789", family + "x"])
        #expect(texts("0123456789012345678👍") == ["0123456789012345678", "👍"])
        #expect(texts("") == [])
    }

    @Test("a character too long for a piece is cut between scalars: no surrogate is left alone")
    func long() {
        let pile = "👍" + String(repeating: "\u{301}", count: 30)
        let pieces = TextChunks.split("a" + pile)
        #expect(pieces.allSatisfy { $0.count <= TextChunks.limit })
        #expect(String(decoding: pieces.flatMap(\.self), as: UTF16.self) == "a" + pile)
        let flags = "a" + String(repeating: "🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}", count: 9)
        for piece in TextChunks.split(flags, limit: 3) {
            #expect(piece.count <= 3)
            #expect(!String(decoding: piece, as: UTF16.self).unicodeScalars.contains("\u{FFFD}"))
        }
    }

    @Test("a text without end is cut off")
    func bounded() {
        let units = TextChunks.split(String(repeating: "x", count: 100_000)).reduce(0) { $0 + $1.count }
        #expect(units == TextChunks.most)
    }
}
