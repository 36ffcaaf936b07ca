/// The length of the AES key that is derived from a passphrase; the raw value is in bytes.
package enum SRTKeyLength: Int, Sendable, Hashable, CaseIterable {
    case aes128 = 16
    case aes192 = 24
    case aes256 = 32
}
