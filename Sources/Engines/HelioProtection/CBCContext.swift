/// A block cipher in CBC mode with one key, which either encrypts or decrypts, without authentication.
package protocol CBCContext: AnyObject {
    /// Encrypts or decrypts `packet[range]` in place, without padding. The range has to consist of whole blocks.
    func apply(to packet: inout [UInt8], range: Range<Int>, vector: CounterBlock) throws(CryptoError)
}
