/// The key material of one direction: a profile, its master key and its master salt.
package struct SRTPMasterKey: Sendable, Equatable, CustomStringConvertible {
    package let profile: SRTPProfile
    package let key: SecretBytes
    package let salt: SecretBytes

    /// Makes a key from the concatenated key and salt, as in the `inline` parameter of SDES (RFC 4568 section 6.1);
    /// `nil` if the length is not the profile's.
    package init?(profile: SRTPProfile, keyAndSalt: [UInt8]) {
        guard keyAndSalt.count == profile.keyLength + profile.saltLength else { return nil }
        self.profile = profile
        key = SecretBytes(Array(keyAndSalt[..<profile.keyLength]))
        salt = SecretBytes(Array(keyAndSalt[profile.keyLength...]))
    }

    /// Makes a random key and salt. The generator has to be secure, except in tests.
    package init(profile: SRTPProfile, using generator: inout some RandomNumberGenerator) {
        self.profile = profile
        key = SecretBytes(count: profile.keyLength, using: &generator)
        salt = SecretBytes(count: profile.saltLength, using: &generator)
    }

    /// The concatenated key and salt, for the `inline` parameter of SDES.
    package var keyAndSalt: SecretBytes { SecretBytes(key.bytes + salt.bytes) }

    package var description: String { "\(profile.rawValue) <secret>" }
}
