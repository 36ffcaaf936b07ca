/// A `Session` header: `4f1c;timeout=60` (RFC 2326 section 12.37).
package struct RTSPSessionHeader: Hashable, Sendable {
    package var id: String
    /// The time in seconds without a request after which the server may end the session; `nil` means 60.
    package var timeout: Int?

    package init(id: String, timeout: Int? = nil) {
        self.id = id
        self.timeout = timeout
    }

    /// Reads a header; `nil` if the identifier is not a token of at most 128 bytes, or the timeout is not a number.
    package init?(_ value: String) {
        let parts = Text.parts(value, by: UInt8(ascii: ";"))
        guard Text.isToken(parts[0]), parts[0].utf8.count <= 128 else { return nil }
        self.init(id: String(parts[0]))
        for part in parts.dropFirst() {
            let (name, seconds) = Text.cut(part, at: UInt8(ascii: "="))
            guard Text.equalIgnoringCase(name, "timeout") else { continue }
            guard timeout == nil, let seconds, let number = Text.decimal(seconds) else { return nil }
            timeout = number
        }
    }

    /// Reads a header leniently, as some servers violate the grammar: accepts any identifier of visible ASCII, which
    /// the client has to return unchanged, and ignores a timeout that can't be parsed.
    package init?(lenient value: String) {
        let parts = value.split(separator: ";", omittingEmptySubsequences: false).map { part in
            part.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()
        }
        guard let id = parts.first, !id.isEmpty, id.count <= 128,
            id.allSatisfy({ $0.isASCII && $0.asciiValue.map { (0x21...0x7E).contains($0) } ?? false })
        else { return nil }
        let prefix = "timeout="
        let timeout = parts.dropFirst().map { String($0) }.first { $0.lowercased().hasPrefix(prefix) }
        self.init(id: String(id), timeout: timeout.flatMap { Int($0.dropFirst(prefix.count)) })
    }

    package var value: String { id + (timeout.map { ";timeout=\($0)" } ?? "") }
}
