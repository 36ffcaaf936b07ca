/// Finds the word that a mistyped word was probably meant to be.
package enum NearestWord {
    /// The maximum length of a compared word, which bounds the computation.
    private static let longest = 32

    /// Returns the word of a list with the smallest edit distance; `nil` if that distance exceeds both 1 and a third of
    /// the word's length.
    package static func find(_ typed: String, in words: [String]) -> String? {
        guard typed.count <= longest else { return nil }
        let ranked = words.map { (word: $0, changes: changes(from: Array(typed.lowercased()), to: Array($0))) }
        guard let best = ranked.min(by: { $0.changes < $1.changes }) else { return nil }
        return best.changes <= max(1, best.word.count / 3) ? best.word : nil
    }

    /// Returns the edit distance: the number of insertions, deletions, substitutions and swaps of neighbours (optimal
    /// string alignment).
    private static func changes(from: [Character], to: [Character]) -> Int {
        var table = [[Int]](repeating: [Int](repeating: 0, count: to.count + 1), count: from.count + 1)
        for row in 0...from.count { table[row][0] = row }
        for column in 0...to.count { table[0][column] = column }
        for row in from.indices {
            for column in to.indices {
                let isSame = from[row] == to[column]
                var least = min(table[row][column + 1] + 1, table[row + 1][column] + 1)
                least = min(least, table[row][column] + (isSame ? 0 : 1))
                if row > 0, column > 0, from[row] == to[column - 1], from[row - 1] == to[column] {
                    least = min(least, table[row - 1][column - 1] + 1)
                }
                table[row + 1][column + 1] = least
            }
        }
        return table[from.count][to.count]
    }
}
