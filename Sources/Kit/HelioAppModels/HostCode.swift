/// The code that a host shows: 16 characters of Crockford's base32, displayed in four groups of four.
enum HostCode {
    private static let letters = Set("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
    private static let length = 16

    /// Formats typed text in groups of four: letters in upper case, O as 0, I and L as 1, all other characters dropped.
    static func tidy(_ text: String) -> String {
        let plain = text.prefix(256).uppercased().map { $0 == "O" ? "0" : $0 == "I" || $0 == "L" ? "1" : $0 }
            .filter(letters.contains).prefix(length)
        var tidy = ""
        for (index, letter) in plain.enumerated() {
            if index > 0, index % 4 == 0 { tidy.append("-") }
            tidy.append(letter)
        }
        return tidy
    }

    /// Returns the code without dashes if the text is four groups of four, as hosts show it; otherwise `nil`. A name of
    /// 16 letters is no code.
    static func grouped(_ text: String) -> String? {
        let groups = text.prefix(256).split { $0 == "-" || $0.isWhitespace }
        guard groups.count == 4, groups.allSatisfy({ $0.count == 4 }) else { return nil }
        return plain(text)
    }

    /// Returns the code without dashes; `nil` if the code is incomplete.
    static func plain(_ text: String) -> String? {
        let plain = tidy(text).filter { $0 != "-" }
        return plain.count == length ? plain : nil
    }
}
