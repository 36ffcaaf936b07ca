import HelioOpenSSL
import HelioProtection

/// OpenSSL as a class: it is deallocated when nothing made with it is left, so that leaks can be detected.
final class WatchedCrypto: CryptoProvider {
    private let base = OpenSSLCrypto()

    func sealer(key: SecretBytes) throws(CryptoError) -> any AEADSealer { try base.sealer(key: key) }
    func opener(key: SecretBytes) throws(CryptoError) -> any AEADOpener { try base.opener(key: key) }
    func keystream(key: SecretBytes) throws(CryptoError) -> any KeystreamContext { try base.keystream(key: key) }
    func encryptor(_ cipher: SuiteCipher, key: SecretBytes) throws(CryptoError) -> any CBCContext {
        try base.encryptor(cipher, key: key)
    }
    func decryptor(_ cipher: SuiteCipher, key: SecretBytes) throws(CryptoError) -> any CBCContext {
        try base.decryptor(cipher, key: key)
    }
    func mac(_ algorithm: MACAlgorithm, key: SecretBytes) throws(CryptoError) -> any MACContext {
        try base.mac(algorithm, key: key)
    }
    func hash(_ algorithm: HashAlgorithm, _ message: RawSpan) throws(CryptoError) -> [UInt8] {
        try base.hash(algorithm, message)
    }
}
