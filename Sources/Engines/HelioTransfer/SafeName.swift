/// A name of a file or folder that is valid on any system, made from an untrusted name.
///
/// A safe name has no separators, no control characters, no characters that change the text direction, no leading dots
/// or dashes, no trailing dots or spaces, and is not a device name of Windows.
package struct SafeName: Hashable, Sendable, CustomStringConvertible {
    /// The maximum size in bytes of UTF-8. It is below the usual limit of 255, to leave space for the number that
    /// `numbered(_:)` adds.
    package static let mostBytes = 200
    private static let mostExtensionBytes = 20
    private static let devices: Set<String> = Set(
        ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"]
            + ["COM", "LPT"].flatMap { port in "0123456789¹²³".map { "\(port)\($0)" } })

    package let text: String

    package var description: String { text }

    package init(cleaning name: String) {
        var clean = Self.trim(String(String.UnicodeScalarView(name.unicodeScalars.compactMap(Self.clean))))
        clean = Self.shortened(clean)
        if Self.isDevice(clean) { clean = "_" + clean }
        text = clean.isEmpty ? "unnamed" : clean
    }

    /// The name with a number before its extension: `name (2).ext`.
    package func numbered(_ number: Int) -> String {
        let (stem, suffix) = Self.split(text)
        return "\(stem) (\(number))\(suffix)"
    }

    private static func clean(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
        switch scalar {
        case "/", "\\", ":", "<", ">", "\"", "|", "?", "*": return "_"
        // Keep joiners, which are needed in Persian and Indian scripts, and in emoji.
        case "\u{200C}", "\u{200D}": return scalar
        default: break
        }
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: return "_"
        // Remove invisible characters, among them those that change the text direction.
        case .format: return nil
        default: return scalar
        }
    }

    private static func trim(_ name: String) -> String {
        // Trim by scalars, as file systems see them: a dot with a combining mark is one character in Swift, but still
        // makes a file hidden.
        var rest = Substring(name).unicodeScalars
        while let first = rest.first, isSpace(first) || isMark(first) || first == "." || first == "-" {
            rest.removeFirst()
        }
        while let last = rest.last, isSpace(last) || last == "." { rest.removeLast() }
        return String(Substring(rest))
    }

    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isWhitespace || scalar == "\u{200C}" || scalar == "\u{200D}"
    }

    /// Returns true for a combining mark, which at the beginning of a name has no character to combine with.
    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: true
        default: false
        }
    }

    /// Shortens a name that is too long, at a boundary between characters, and keeps its extension.
    private static func shortened(_ name: String) -> String {
        guard name.utf8.count > mostBytes else { return name }
        let (stem, suffix) = split(name)
        var kept = ""
        var bytes = suffix.utf8.count
        for character in stem {
            bytes += character.utf8.count
            guard bytes <= mostBytes else { break }
            kept.append(character)
        }
        kept = trim(kept)
        return kept.isEmpty ? "unnamed" + suffix : kept + suffix
    }

    /// Splits a name into its stem and its extension. The extension includes the dot; it is empty if there is none, or
    /// if it would be longer than 20 bytes or contain white space.
    private static func split(_ name: String) -> (stem: String, suffix: String) {
        let scalars = name.unicodeScalars
        guard let dot = scalars.lastIndex(of: "."), dot > scalars.startIndex else { return (name, "") }
        let suffix = scalars[dot...]
        guard name.utf8[dot...].count > 1, name.utf8[dot...].count <= mostExtensionBytes,
            !suffix.contains(where: \.properties.isWhitespace)
        else { return (name, "") }
        // `.tar.gz` counts as one extension.
        if name.utf8[..<dot].suffix(4).elementsEqual(".tar".utf8), let earlier = scalars[..<dot].lastIndex(of: "."),
            earlier > scalars.startIndex
        {
            return (String(scalars[..<earlier]), String(scalars[earlier...]))
        }
        return (String(scalars[..<dot]), String(suffix))
    }

    private static func isDevice(_ name: String) -> Bool {
        let stem = trim(String(Substring(name.unicodeScalars.prefix { $0 != "." })))
        return devices.contains(stem.uppercased())
    }
}
