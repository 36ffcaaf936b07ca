internal import HelioTerminal

/// The keys of `heliograph share` that have an effect now.
struct ShareKeys {
    private let keys: [Key]

    private struct Key {
        var key: String
        /// The key's text in the summary, and its rank: on a narrow terminal, keys with a lower rank are preferred.
        var short: (text: String, rank: Int)?
        var long: String
    }

    /// - Parameters:
    ///   - mayControl: true if viewers may take control at all.
    ///   - hasMonitors: true if there is more than one monitor.
    ///   - hasSound: true if sound can be shared.
    ///   - hears: true if viewers' voices are played.
    ///   - sharesClipboard: true if the clipboard can be shared.
    ///   - takesFiles: true if files can be exchanged.
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

    /// Returns one row with the most useful keys that fit; `?` shows all keys.
    func summary(columns: Int) -> String {
        TerminalLayout.row(
            keys.compactMap { key in key.short.map { ("[\(key.key)] \($0.text)", $0.rank) } }, columns: columns)
    }

    /// All keys, one per line.
    var help: [String] { keys.map { "  \($0.key)  \($0.long)" } }
}
