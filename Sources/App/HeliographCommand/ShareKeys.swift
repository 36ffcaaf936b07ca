private import Foundation
internal import HelioTerminal

/// The keys of `heliograph share` that have an effect now.
struct ShareKeys {
    private let keys: [(key: String, short: String?, long: String)]

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
        var keys: [(key: String, short: String?, long: String)] = []
        if mayControl {
            keys.append(("t", "take control", "take control back at once"))
            keys.append(("g", "give control", "let viewers control again"))
        }
        keys.append(("l", "who is here", "list who watches, and how it goes"))
        keys.append(("o", "link and QR", "show the link and its QR code again"))
        if hasMonitors { keys.append(("m", "next monitor", "share the next monitor")) }
        if hasSound { keys.append(("s", nil, "turn the sound off and on")) }
        if hears { keys.append(("v", nil, "turn viewers' voices off and on")) }
        if sharesClipboard { keys.append(("p", nil, "turn the clipboard off and on")) }
        if takesFiles { keys.append(("f", nil, "take files that are offered (r refuses them)")) }
        keys.append(("q", "stop", "stop sharing, as Ctrl-C does"))
        keys.append(("?", "more", "show this"))
        self.keys = keys
    }

    /// The most useful keys, in lines broken between keys.
    func summary(columns: Int) -> [String] {
        var lines: [String] = []
        for case (let key, let short?, _) in keys {
            let word = "[\(key)] \(short)"
            if let last = lines.last, last.count + 2 + word.count < columns {
                lines[lines.count - 1] = last + "  " + word
            } else {
                lines.append(word)
            }
        }
        return lines
    }

    /// All keys, one a line.
    var help: [String] { keys.map { "  \($0.key)  \($0.long)" } }
}
