/// The SRTP session keys, which are derived once from a master key (RFC 3711 section 4.3, key derivation rate 0).
package struct SRTPSessionKeys: Sendable, CustomStringConvertible {
    /// The keys for either RTP or RTCP.
    package struct Half: Sendable {
        package let encryption: SecretBytes
        /// The authentication key; empty in an AEAD profile.
        package let authentication: SecretBytes
        package let salt: SecretBytes

        package init(encryption: SecretBytes, authentication: SecretBytes, salt: SecretBytes) {
            self.encryption = encryption
            self.authentication = authentication
            self.salt = salt
        }
    }

    package let profile: SRTPProfile
    package let rtp: Half
    package let rtcp: Half

    package init(profile: SRTPProfile, rtp: Half, rtcp: Half) {
        self.profile = profile
        self.rtp = rtp
        self.rtcp = rtcp
    }

    package init(master: SRTPMasterKey, crypto: some CryptoProvider) throws(CryptoError) {
        profile = master.profile
        rtp = try Self.half(of: master, firstLabel: 0, crypto: crypto)
        rtcp = try Self.half(of: master, firstLabel: 3, crypto: crypto)
    }

    package var description: String { "\(profile.rawValue) <secret>" }

    private static func half(
        of master: SRTPMasterKey, firstLabel: UInt8, crypto: some CryptoProvider
    ) throws(CryptoError) -> Half {
        let profile = master.profile
        let prf = try crypto.keystream(key: master.key)
        return Half(
            encryption: try derive(prf, master.salt, label: firstLabel, count: profile.keyLength),
            authentication: try derive(
                prf, master.salt, label: firstLabel + 1, count: profile.authenticationKeyLength),
            salt: try derive(prf, master.salt, label: firstLabel + 2, count: profile.saltLength))
    }

    /// Derives a key: the first `count` bytes of the keystream at (salt XOR label) * 2^16. The 12-byte salt of an AEAD
    /// profile is extended with zeros to 14 bytes.
    private static func derive(
        _ prf: any KeystreamContext, _ salt: SecretBytes, label: UInt8, count: Int
    ) throws(CryptoError) -> SecretBytes {
        var counter = CounterBlock(repeating: 0)
        for (offset, byte) in salt.bytes.enumerated() { counter[offset] = byte }
        counter[7] ^= label
        var bytes = [UInt8](repeating: 0, count: count)
        try prf.apply(to: &bytes, range: 0..<count, counter: counter)
        return SecretBytes(bytes)
    }
}
