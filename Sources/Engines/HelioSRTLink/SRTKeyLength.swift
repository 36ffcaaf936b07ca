/// The length of the AES key that a passphrase protects a connection by; its raw value is in bytes.
package enum SRTKeyLength: Int, Sendable, Hashable, CaseIterable {
    case aes128 = 16
    case aes192 = 24
    case aes256 = 32
}
