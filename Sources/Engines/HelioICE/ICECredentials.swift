package import HelioProtection
import HelioSTUN

/// One end's ICE credentials, exchanged by signalling, so that only an end that knows them can take part in the session
/// (RFC 8445 section 5.3).
package struct ICECredentials: Sendable, Hashable {
    /// The user name fragment, 4 ... 256 characters; packets carry it in clear.
    package let usernameFragment: String
    /// The password, 22 ... 256 characters.
    package let password: SecretBytes

    /// Makes credentials from signalling; `nil` if a length or a character is invalid in ICE.
    package init?(usernameFragment: String, password: String) {
        guard ICEText.isUsernameFragment(usernameFragment), ICEText.isPassword(password) else { return nil }
        self.usernameFragment = usernameFragment
        self.password = SecretBytes(Array(password.utf8))
    }

    /// Makes fresh credentials: 48 bits of name and 144 of password.
    ///
    /// - Parameter generator: the driver's secure generator, except in tests.
    package init(using generator: inout some RandomNumberGenerator) {
        // There are 64 characters: a byte's low six bits pick each with equal probability.
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
