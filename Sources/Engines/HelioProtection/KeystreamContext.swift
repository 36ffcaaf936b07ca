/// The first counter block of AES in counter mode; it is incremented as a big-endian number for each block.
package typealias CounterBlock = InlineArray<16, UInt8>

/// AES in counter mode with one key, without authentication. It is used by the SRTP profile AES-CM and by SRTP's key
/// derivation (RFC 3711 sections 4.1.1 and 4.3.3).
package protocol KeystreamContext: AnyObject {
    /// XORs the keystream from `counter` on into `packet[range]`. The same call encrypts and decrypts.
    func apply(to packet: inout [UInt8], range: Range<Int>, counter: CounterBlock) throws(CryptoError)
}
