import HelioCore
import HelioProtection
import HelioSDP

/// The picture's expected size and chroma, for the window's first size: `a=heliograph-picture:1920x1080 420`. The
/// stream itself may differ.
struct PictureShape: AttributeValue {
    static let attributeName = "heliograph-picture"
    var size: PixelSize
    var chroma: ChromaSampling

    init(size: PixelSize, chroma: ChromaSampling) {
        self.size = size
        self.chroma = chroma
    }

    init?(attributeValue: String?) {
        let fields = attributeValue?.split(separator: " ") ?? []
        guard fields.count == 2, let chroma = ChromaSampling(rawValue: String(fields[1])) else { return nil }
        let numbers = fields[0].split(separator: "x").compactMap { Int($0) }
        guard numbers.count == 2, numbers.allSatisfy({ (1...16384).contains($0) }) else { return nil }
        self.init(size: PixelSize(width: numbers[0], height: numbers[1]), chroma: chroma)
    }

    var attributeValue: String? { "\(size) \(chroma.rawValue)" }
}

/// The permission to drive or only to watch: `a=heliograph-permission:control` or `watch`.
extension ControlPermission: AttributeValue {
    package static var attributeName: String { "heliograph-permission" }

    package init?(attributeValue: String?) {
        guard let attributeValue else { return nil }
        self.init(rawValue: attributeValue)
    }

    package var attributeValue: String? { rawValue }
}

/// Keys as `a=crypto` (RFC 4568). A sealed control channel has an AES-128-GCM key and a 12-byte salt like SRTP, and is
/// written the same way.
enum KeyAttribute {
    static func media(_ key: SRTPMasterKey) -> CryptoAttribute { attribute(key.keyAndSalt) }
    static func control(_ key: SealedKey) -> CryptoAttribute { attribute(key.keyAndSalt) }

    static func mediaKey(_ attributes: AttributeList) -> SRTPMasterKey? {
        keyAndSalt(attributes).flatMap { SRTPMasterKey(profile: StreamOffer.profile, keyAndSalt: $0) }
    }

    static func controlKey(_ attributes: AttributeList) -> SealedKey? {
        keyAndSalt(attributes).flatMap { SealedKey(keyAndSalt: $0) }
    }

    /// Reads a key, and unmasks it if the suite masks keys.
    static func mediaKey(
        _ attributes: AttributeList, _ which: AgreedSuite.SentKey, unmaskedBy suite: AgreedSuite?,
        crypto: any CryptoProvider
    ) -> SRTPMasterKey? {
        mediaKey(attributes).flatMap { try? suite.mask($0, which, crypto: crypto) }
    }

    static func controlKey(
        _ attributes: AttributeList, _ which: AgreedSuite.SentKey, unmaskedBy suite: AgreedSuite?,
        crypto: any CryptoProvider
    ) -> SealedKey? {
        controlKey(attributes).flatMap { try? suite.mask($0, which, crypto: crypto) }
    }

    private static func attribute(_ secret: SecretBytes) -> CryptoAttribute {
        let suite = CryptoSuite.aeadAES128GCM
        let key = Array(secret.bytes[..<suite.keyLength])
        guard
            let attribute = CryptoAttribute(
                tag: 1, suite: suite, key: key, salt: Array(secret.bytes[suite.keyLength...]))
        else { preconditionFailure("AEAD_AES_128_GCM has a key of 16 and a salt of 12 bytes") }
        return attribute
    }

    private static func keyAndSalt(_ attributes: AttributeList) -> [UInt8]? {
        attributes.values(of: CryptoAttribute.self).first { $0.suite == .aeadAES128GCM }.map { $0.key + $0.salt }
    }
}
