/// A crypto provider that replaces AES-GCM by a suite, and uses its base provider for all other primitives.
///
/// SRTP and the sealed channels need no special code for suites: replay windows, indices, key derivation and drop
/// counts are the same with AES-GCM.
package struct SuiteCrypto: CryptoProvider {
    private let base: any CryptoProvider
    private let schedule: SuiteKeySchedule
    private let vectorSeed: SecretBytes

    /// - Parameter vectorSeed: 32 random bytes for this end's initialisation vectors, which are new for each session.
    package init(_ schedule: SuiteKeySchedule, vectorSeed: SecretBytes, over base: any CryptoProvider) {
        self.base = base
        self.schedule = schedule
        self.vectorSeed = vectorSeed
    }

    package func sealer(key: SecretBytes) throws(CryptoError) -> any AEADSealer {
        let vectorKey = try base.mac(.sha256, key: vectorSeed).code(over: key.bytes.span.bytes, trailer: nil).bytes
        return SuiteSealer(
            schedule.suite,
            cipher: try base.encryptor(schedule.suite.cipher, key: try packetKey(.encryption, key)),
            mac: try packetMAC(key), vectors: try base.keystream(key: SecretBytes(vectorKey)))
    }

    package func opener(key: SecretBytes) throws(CryptoError) -> any AEADOpener {
        SuiteOpener(
            schedule.suite,
            cipher: try base.decryptor(schedule.suite.cipher, key: try packetKey(.encryption, key)),
            mac: try packetMAC(key))
    }

    package func keystream(key: SecretBytes) throws(CryptoError) -> any KeystreamContext {
        try base.keystream(key: key)
    }

    package func encryptor(_ cipher: SuiteCipher, key: SecretBytes) throws(CryptoError) -> any CBCContext {
        try base.encryptor(cipher, key: key)
    }

    package func decryptor(_ cipher: SuiteCipher, key: SecretBytes) throws(CryptoError) -> any CBCContext {
        try base.decryptor(cipher, key: key)
    }

    package func mac(_ algorithm: MACAlgorithm, key: SecretBytes) throws(CryptoError) -> any MACContext {
        try base.mac(algorithm, key: key)
    }

    package func hash(_ algorithm: HashAlgorithm, _ message: RawSpan) throws(CryptoError) -> [UInt8] {
        try base.hash(algorithm, message)
    }

    private func packetMAC(_ key: SecretBytes) throws(CryptoError) -> any MACContext {
        try base.mac(schedule.suite.integrity.algorithm, key: try packetKey(.authentication, key))
    }

    private func packetKey(_ purpose: SuiteKeySchedule.Purpose, _ key: SecretBytes) throws(CryptoError) -> SecretBytes {
        let suite = schedule.suite
        let count = purpose == .encryption ? suite.cipher.keyLength : suite.integrity.keyLength
        return try schedule.key(purpose, context: key.bytes, count: count, crypto: base)
    }
}
