/// The block ciphers of the suites, all in CBC mode (requirement rows 32 and 33). The raw value is the name in
/// signalling and on the command line.
package enum SuiteCipher: String, Sendable, Hashable, CaseIterable {
    case aes128 = "aes-128-cbc"
    case aes192 = "aes-192-cbc"
    case aes256 = "aes-256-cbc"
    /// SM4 (GB/T 32907), which the requirements call SMS4.
    case sm4 = "sm4-cbc"

    /// The length of a block and of an initialisation vector in bytes, and so the maximum padding.
    package static let blockLength = 16

    /// The length of a key, in bytes.
    package var keyLength: Int {
        switch self {
        case .aes128, .sm4: 16
        case .aes192: 24
        case .aes256: 32
        }
    }
}
