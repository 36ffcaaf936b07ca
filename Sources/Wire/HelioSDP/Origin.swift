/// Who made the description, and which version of it this is (`o=`, RFC 8866 section 5.2).
package struct Origin: Hashable, Sendable {
    /// `-` where the host has no idea of user names.
    package var username: String
    package var sessionID: UInt64
    package var sessionVersion: UInt64
    package var host: ConnectionData

    package init(username: String = "-", sessionID: UInt64, sessionVersion: UInt64 = 1, host: ConnectionData) {
        self.username = username
        self.sessionID = sessionID
        self.sessionVersion = sessionVersion
        self.host = host
    }

    init?(_ value: String) {
        let fields = Text.fields(value, by: 0x20)
        guard fields.count == 6, Text.isWord(fields[0]), let id = Text.decimal(fields[1]),
            let version = Text.decimal(fields[2]), let host = ConnectionData(fields[3...])
        else { return nil }
        self.init(username: String(fields[0]), sessionID: id, sessionVersion: version, host: host)
    }

    var value: String { "\(username) \(sessionID) \(sessionVersion) \(host.value)" }
}
