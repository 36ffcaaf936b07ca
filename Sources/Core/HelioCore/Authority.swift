/// Host and port as written in a URL (RFC 3986 section 3.2).
package enum Authority {
    /// The text `HOST:PORT`, with an IPv6 host in brackets.
    package static func text(_ host: String, port: some BinaryInteger) -> String { "\(self.host(host)):\(port)" }

    /// The host as written in a URL: an IPv6 address in brackets, anything else unchanged.
    package static func host(_ host: String) -> String { host.contains(":") ? "[\(host)]" : host }

    /// Parses `HOST`, `HOST:PORT`, `[IPv6]` or `[IPv6]:PORT`; returns the host without brackets, or `nil` if the text
    /// is malformed.
    ///
    /// - Parameters:
    ///   - excluding: characters that are not allowed in a host, in addition to everything other than visible ASCII.
    ///   - digits: the maximum number of digits of a port.
    package static func parse(
        _ text: Substring, excluding: String = "", digits: Int = .max
    ) -> (host: String, port: UInt16?)? {
        var host = text
        var number: Substring?
        if text.utf8.first == UInt8(ascii: "[") {
            guard let close = text.firstIndex(of: "]") else { return nil }
            host = text[text.index(after: text.startIndex)..<close]
            let after = text[text.index(after: close)...]
            guard after.isEmpty || after.hasPrefix(":") else { return nil }
            if !after.isEmpty { number = after.dropFirst() }
        } else if let colon = text.firstIndex(of: ":") {
            host = text[..<colon]
            number = text[text.index(after: colon)...]
        }
        guard !host.isEmpty, host.utf8.count <= 255,
            host.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !excluding.utf8.contains($0) })
        else { return nil }
        guard let number else { return (String(host), nil) }
        guard number.utf8.count <= digits, number.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let port = UInt16(number), port > 0
        else { return nil }
        return (String(host), port)
    }
}
