/// An option of a command line that names a file.
package struct FileOption: Sendable {
    /// The option with its dashes.
    private let name: String

    package init(_ name: String) { self.name = name }

    /// Returns the words of a command line without the option where its file is gone. A service keeps its command line
    /// for years; a file for its first start may be removed after that.
    ///
    /// - Parameter exists: returns whether there is a file at a path.
    package func removed(from words: [String], unless exists: (String) -> Bool) -> [String] {
        var kept: [String] = []
        var rest = words[...]
        while let word = rest.popFirst() {
            if word == name, let file = rest.first {
                rest.removeFirst()
                if exists(file) { kept += [word, file] }
            } else if word.hasPrefix(name + "=") {
                if exists(String(word.dropFirst(name.count + 1))) { kept.append(word) }
            } else {
                kept.append(word)
            }
        }
        return kept
    }
}
