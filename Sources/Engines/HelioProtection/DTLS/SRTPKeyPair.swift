/// The SRTP keys of both directions from a DTLS-SRTP handshake (RFC 5764 section 4.2).
package struct SRTPKeyPair: Sendable, Equatable, CustomStringConvertible {
    /// The label for the TLS exporter, which is called without a context value.
    package static let exporterLabel = "EXTRACTOR-dtls_srtp"

    /// The key for sent packets.
    package let local: SRTPMasterKey
    /// The key for received packets.
    package let remote: SRTPMasterKey

    package var profile: SRTPProfile { local.profile }

    /// The number of bytes to request from the exporter.
    package static func exportedLength(_ profile: SRTPProfile) -> Int { 2 * (profile.keyLength + profile.saltLength) }

    /// Makes the keys from the exported bytes; `nil` if their number is not `exportedLength`.
    ///
    ///     | client's key | server's key | client's salt | server's salt |
    package init?(_ profile: SRTPProfile, exported: SecretBytes, role: DTLSRole) {
        let (key, salt) = (profile.keyLength, profile.saltLength)
        guard exported.count == Self.exportedLength(profile) else { return nil }
        let bytes = exported.bytes
        let salts = 2 * key
        guard
            let client = SRTPMasterKey(
                profile: profile, keyAndSalt: Array(bytes[..<key] + bytes[salts..<salts + salt])),
            let server = SRTPMasterKey(
                profile: profile, keyAndSalt: Array(bytes[key..<salts] + bytes[(salts + salt)...]))
        else { return nil }
        local = role == .client ? client : server
        remote = role == .client ? server : client
    }

    package var description: String { "\(profile.rawValue) <secrets>" }
}
