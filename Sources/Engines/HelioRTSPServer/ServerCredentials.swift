package import HelioProtection

/// The name and password that a client has to know for digest authentication.
package struct ServerCredentials: Sendable {
    package var username: String
    package var password: SecretBytes

    /// The most bytes of a name, and of a password.
    package static let longest = 128

    /// Makes credentials; `nil` if a part is empty, too long or has characters that clients write into a header
    /// unescaped: a quote or a backslash in the name, a colon that would end it, a control character in either.
    package init?(username: String, password: [UInt8]) {
        let isPrintable = (Array(username.utf8) + password).allSatisfy { $0 >= 0x20 && $0 != 0x7F }
        guard isPrintable, (1...Self.longest).contains(username.utf8.count),
            (1...Self.longest).contains(password.count), !username.utf8.contains(where: Array("\"\\:".utf8).contains)
        else { return nil }
        self.username = username
        self.password = SecretBytes(password)
    }
}
