/// Splits text into chunks that are short enough for one keyboard event of macOS.
package enum TextChunks {
    /// The maximum number of UTF-16 code units that `CGEventKeyboardSetUnicodeString` is known to deliver.
    package static let limit = 20
    /// The maximum number of UTF-16 code units per call of `split`; the rest of the text is dropped.
    package static let most = 20_000

    /// Returns the chunks of a text, each of at most `limit` UTF-16 code units. A character is split only if it is
    /// longer than a chunk, and then between its scalars, so that no surrogate pair is split.
    package static func split(_ text: String, limit: Int = limit) -> [[UInt16]] {
        let limit = max(2, limit)
        var chunks: [[UInt16]] = []
        var chunk: [UInt16] = []
        func close() {
            if !chunk.isEmpty { chunks.append(chunk) }
            chunk = []
        }
        var total = 0
        for character in text {
            let units = Array(character.utf16)
            total += units.count
            if total > most { break }
            if chunk.count + units.count > limit { close() }
            if units.count <= limit {
                chunk += units
                continue
            }
            for scalar in character.unicodeScalars {
                let pair = Array(scalar.utf16)
                if chunk.count + pair.count > limit { close() }
                chunk += pair
            }
        }
        close()
        return chunks
    }
}
