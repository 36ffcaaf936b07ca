/// Replaces control characters in a text from the peer, so that it can't control the terminal.
enum PeerText {
    private static let longest = 2000

    static func shown(_ text: String) -> String {
        var shown = ""
        for scalar in text.unicodeScalars.prefix(longest) {
            switch scalar.properties.generalCategory {
            case .control, .format, .surrogate, .privateUse, .lineSeparator, .paragraphSeparator:
                shown += scalar == "\t" ? " " : "\u{FFFD}"
            default: shown.unicodeScalars.append(scalar)
            }
        }
        return text.unicodeScalars.count > longest ? shown + "..." : shown
    }
}
