/// Recognises values with a secret in them, which the configuration file does not take: it is not meant to be private, and
/// is copied and shown.
enum ConfigSecret {
    static let sentence =
        "secrets are not taken from here. Name a file with it, readable by you alone, by the option for that."

    /// True for a link of Heliograph, for an address with a password, and for parameters that SRT and others call
    /// passwords.
    static func isSecret(_ text: String) -> Bool {
        let text = text.lowercased()
        if text.hasPrefix("heliograph:") { return true }
        if ["passphrase=", "password=", "token=", "secret=", "streamkey="].contains(where: text.contains) {
            return true
        }
        guard let scheme = text.firstRange(of: "://") else { return false }
        let authority = text[scheme.upperBound...].prefix { !"/?#".contains($0) }
        guard let end = authority.lastIndex(of: "@") else { return false }
        return authority[..<end].contains(":")
    }
}
