internal import HelioTerminal

/// The keys of `heliograph share` that have an effect now.
struct ShareKeys {
    private let keys: [Key]

    private struct Key {
        var key: String
        /// The key's words in the summary, and its rank there: the lowest number is kept longest on a narrow terminal.
        var short: (text: String, rank: Int)?
        var long: String
    }

    /// - Parameters:
    ///   - mayControl: whether viewers may control at all.
    ///   - hasMonitors: whether there is more than one monitor.
    ///   - hasSound: whether sound is shared.
    ///   - hears: whether viewers' voices are played.
    ///   - sharesClipboard: whether the clipboard is shared.
    ///   - takesFiles: whether files are exchanged.
    init(
        mayControl: Bool, hasMonitors: Bool, hasSound: Bool, hears: Bool, sharesClipboard: Bool, takesFiles: Bool
    ) {
        var keys: [Key] = []
        func add(_ key: String, _ short: (text: String, rank: Int)? = nil, _ long: String) {
            keys.append(Key(key: key, short: short, long: long))
        }
        if mayControl {
            add("t", ("take control", 1), "take control back at once")
            add("g", ("give control", 4), "let viewers control again")
        }
        add("l", ("who is here", 3), "list who watches, and how it goes")
        add("o", ("QR", 2), "show the link and its QR code")
        if hasMonitors { add("m", ("next monitor", 6), "share the next monitor") }
        if hasSound { add("s", nil, "turn the sound off and on") }
        if hears { add("v", nil, "turn viewers' voices off and on") }
        if sharesClipboard { add("p", nil, "turn the clipboard off and on") }
        if takesFiles { add("f", nil, "take files that are offered (r refuses them)") }
        add("q", ("stop", 5), "stop sharing, as Ctrl-C does")
        add("?", ("more", 0), "show this")
        self.keys = keys
    }

    /// The most useful keys that fit on one row; `?` shows all of them.
    func summary(columns: Int) -> String {
        TerminalLayout.row(
            keys.compactMap { key in key.short.map { ("[\(key.key)] \($0.text)", $0.rank) } }, columns: columns)
    }

    /// All keys, one a line.
    var help: [String] { keys.map { "  \($0.key)  \($0.long)" } }
}
