package import HelioProtection
import HelioSTUN

/// What signalling tells of one end, so that only who was told can be part of the session (RFC 8445 section 5.3).
package struct ICECredentials: Sendable, Hashable {
    /// 4 ... 256 characters; no secret on the way of the packets.
    package let usernameFragment: String
    /// 22 ... 256 characters.
    package let password: SecretBytes

    /// `nil` where a length or a character is not ICE's.
    package init?(usernameFragment: String, password: String) {
        guard ICEText.isUsernameFragment(usernameFragment), ICEText.isPassword(password) else { return nil }
        self.usernameFragment = usernameFragment
        self.password = SecretBytes(Array(password.utf8))
    }

    /// Fresh ones: 48 bits of name and 144 of password.
    ///
    /// - Parameter generator: the driver's secure one, anywhere but in a test.
    package init(using generator: inout some RandomNumberGenerator) {
        // 64 characters: a byte's low six bits pick each with the same chance.
        func characters(_ count: Int) -> [UInt8] {
            SecretBytes(count: count, using: &generator).bytes.map { ICEText.characters[Int($0 & 63)] }
        }
        usernameFragment = String(decoding: characters(8), as: UTF8.self)
        password = SecretBytes(characters(24))
    }

    package static func == (a: ICECredentials, b: ICECredentials) -> Bool {
        a.usernameFragment == b.usernameFragment && a.password == b.password
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(usernameFragment) }
}
