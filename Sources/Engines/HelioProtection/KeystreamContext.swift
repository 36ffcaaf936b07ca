/// The first input block of AES in counter mode; the last bytes count up, block by block.
package typealias CounterBlock = InlineArray<16, UInt8>

/// AES in counter mode under one key. It encrypts but does not authenticate: used by SRTP's oldest profile and its key
/// derivation (RFC 3711 sections 4.1.1 and 4.3.3).
package protocol KeystreamContext: AnyObject {
    /// XORs the keystream that starts at `counter` into `packet[range]`: the same call encrypts and decrypts.
    func apply(to packet: inout [UInt8], range: Range<Int>, counter: CounterBlock) throws(CryptoError)
}
