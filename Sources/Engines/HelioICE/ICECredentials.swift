package import HelioProtection
import HelioSTUN

/// The ICE credentials of one end, exchanged by signalling; they authenticate the checks (RFC 8445 section 5.3).
package struct ICECredentials: Sendable, Hashable {
    /// The username fragment, 4 ... 256 characters; checks carry it unencrypted.
    package let usernameFragment: String
    /// The password, 22 ... 256 characters.
    package let password: SecretBytes

    /// Makes credentials from signalled text; `nil` if a length or a character is invalid.
    package init?(usernameFragment: String, password: String) {
        guard ICEText.isUsernameFragment(usernameFragment), ICEText.isPassword(password) else { return nil }
        self.usernameFragment = usernameFragment
        self.password = SecretBytes(Array(password.utf8))
    }

    /// Makes random credentials: a fragment of 48 bits and a password of 144 bits.
    ///
    /// - Parameter generator: a secure generator; tests may pass a seeded one.
    package init(using generator: inout some RandomNumberGenerator) {
        // The alphabet has 64 characters, so a random byte's low 6 bits give each the same probability.
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
