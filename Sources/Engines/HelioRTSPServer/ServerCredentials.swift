package import HelioProtection

/// The user name and password for digest authentication.
package struct ServerCredentials: Sendable {
    package var username: String
    package var password: SecretBytes

    /// The maximum length of a name, and of a password, in bytes.
    package static let longest = 128

    /// Makes credentials; `nil` if a part is empty or too long, contains a control character, or the name contains a
    /// quote, a backslash or a colon. Clients write the name into a header without escaping.
    package init?(username: String, password: [UInt8]) {
        let isPrintable = (Array(username.utf8) + password).allSatisfy { $0 >= 0x20 && $0 != 0x7F }
        guard isPrintable, (1...Self.longest).contains(username.utf8.count),
            (1...Self.longest).contains(password.count), !username.utf8.contains(where: Array("\"\\:".utf8).contains)
        else { return nil }
        self.username = username
        self.password = SecretBytes(password)
    }
}
