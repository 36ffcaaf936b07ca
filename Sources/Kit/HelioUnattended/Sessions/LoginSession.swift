/// A session of logind, as `loginctl show-session` describes it (org.freedesktop.login1(5)).
package struct LoginSession: Sendable, Hashable {
    package var id: String
    /// The ID of the session's user.
    package var user: UInt32
    /// The name of the session's user.
    package var name = ""
    /// The kind of the session: x11, wayland, tty, mir, web or unspecified.
    package var type = ""
    /// The session's class: user, greeter, lock-screen, background, manager or a later kind.
    package var kind = ""
    /// The state: online, active (in front on its seat) or closing.
    package var state = ""
    package var seat = ""
    /// The X display; empty if the log-in manager did not tell it.
    package var display = ""
    /// The number of the virtual terminal; 0 for none.
    package var terminal = 0
    package var isRemote = false

    package init(id: String, user: UInt32) {
        self.id = id
        self.user = user
    }

    /// True for a session with a screen.
    package var isGraphical: Bool { type == "x11" || type == "wayland" }

    /// The properties that ``list(_:)`` reads.
    package static let properties = [
        "Id", "User", "Name", "Type", "Class", "State", "Seat", "Display", "VTNr", "Remote",
    ]

    /// The limit of sessions that are read.
    private static let limit = 64

    /// Parses the IDs of `loginctl list-sessions --no-legend`: the first word of each line.
    package static func ids(_ text: String) -> [String] {
        let words = text.split(whereSeparator: \.isNewline).compactMap {
            $0.split(whereSeparator: \.isWhitespace).first
        }
        // An ID is passed to a program as an argument: it is letters and digits (sd_session_is_valid).
        return words.map(String.init).filter { $0.utf8.allSatisfy(isOfID) }.prefix(limit).map { $0 }
    }

    private static func isOfID(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }

    /// Parses the output of `loginctl show-session`: a property in each line, and a blank line between sessions. A
    /// session without ID or user is left out.
    package static func list(_ text: String) -> [LoginSession] {
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        return lines.split(whereSeparator: \.isEmpty).prefix(limit).compactMap { block in
            var values: [Substring: String] = [:]
            for line in block {
                guard let sign = line.firstIndex(of: "=") else { continue }
                values[line[..<sign]] = String(line[line.index(after: sign)...])
            }
            return LoginSession(values)
        }
    }

    private init?(_ values: [Substring: String]) {
        guard let id = values["Id"], !id.isEmpty, let user = values["User"].flatMap({ UInt32($0) }) else { return nil }
        self.init(id: id, user: user)
        name = values["Name"] ?? ""
        type = values["Type"] ?? ""
        kind = values["Class"] ?? ""
        state = values["State"] ?? ""
        seat = values["Seat"] ?? ""
        display = values["Display"] ?? ""
        terminal = values["VTNr"].flatMap { Int($0) } ?? 0
        isRemote = values["Remote"] == "yes"
    }
}
