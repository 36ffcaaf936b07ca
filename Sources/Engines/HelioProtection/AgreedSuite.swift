/// The negotiated suite of one session: it provides the encryption for each medium, and masks keys in signalling.
package struct AgreedSuite: Sendable {
    private let schedule: SuiteKeySchedule
    private let scope: SuiteScope
    private let masksKeys: Bool
    private let nonces: [UInt8]
    private let vectorSeed: SecretBytes

    /// - Parameters:
    ///   - nonces: the nonces of both ends, which are new for each session.
    ///   - vectorSeed: 32 random bytes of this end, which are new for each session.
    package init(
        _ schedule: SuiteKeySchedule, scope: SuiteScope, masksKeys: Bool, nonces: [UInt8], vectorSeed: SecretBytes
    ) {
        self.schedule = schedule
        self.scope = scope
        self.masksKeys = masksKeys
        self.nonces = nonces
        self.vectorSeed = vectorSeed
    }

    /// The provider for a medium: the suite if the medium is in its scope, otherwise `base`, with AES-GCM.
    package func provider(for medium: SuiteScope, over base: any CryptoProvider) -> any CryptoProvider {
        scope.contains(medium) ? SuiteCrypto(schedule, vectorSeed: vectorSeed, over: base) : base
    }

    /// A session key sent in signalling. The raw value is the label from which its mask is derived.
    package enum SentKey: String {
        case hostVideo = "host video"
        case hostControl = "host control"
        case hostSound = "host sound"
        case hostMicrophone = "host microphone"
        case viewerVideo = "viewer video"
        case viewerControl = "viewer control"
        case viewerVoice = "viewer voice"
    }

    /// Masks a key, or removes the mask. Returns the key unchanged if masking was not negotiated.
    package func mask(
        _ key: SRTPMasterKey, _ which: SentKey, crypto: any CryptoProvider
    ) throws(CryptoError) -> SRTPMasterKey {
        let masked = try mask(key.keyAndSalt, which, crypto)
        guard let key = SRTPMasterKey(profile: key.profile, keyAndSalt: masked.bytes) else {
            throw .badLength(masked.count)
        }
        return key
    }

    package func mask(_ key: SealedKey, _ which: SentKey, crypto: any CryptoProvider) throws(CryptoError) -> SealedKey {
        let masked = try mask(key.keyAndSalt, which, crypto)
        guard let key = SealedKey(keyAndSalt: masked.bytes) else { throw .badLength(masked.count) }
        return key
    }

    private func mask(
        _ material: SecretBytes, _ which: SentKey, _ crypto: any CryptoProvider
    ) throws(CryptoError) -> SecretBytes {
        guard masksKeys else { return material }
        return try schedule.mask(material, label: which.rawValue, nonces: nonces, crypto: crypto)
    }
}

extension AgreedSuite? {
    /// The provider for a medium: the suite if there is one with the medium in its scope, otherwise `base`, with
    /// AES-GCM.
    package func provider(for medium: SuiteScope, over base: any CryptoProvider) -> any CryptoProvider {
        self?.provider(for: medium, over: base) ?? base
    }

    /// Masks a key, or removes the mask. Returns the key unchanged without a suite.
    package func mask(
        _ key: SRTPMasterKey, _ which: AgreedSuite.SentKey, crypto: any CryptoProvider
    ) throws(CryptoError) -> SRTPMasterKey {
        try self?.mask(key, which, crypto: crypto) ?? key
    }

    package func mask(
        _ key: SealedKey, _ which: AgreedSuite.SentKey, crypto: any CryptoProvider
    ) throws(CryptoError) -> SealedKey {
        try self?.mask(key, which, crypto: crypto) ?? key
    }
}
