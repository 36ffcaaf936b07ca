/// A block cipher in CBC mode under one key, for one direction: it encrypts but does not authenticate.
package protocol CBCContext: AnyObject {
    /// Encrypts or decrypts `packet[range]` in place: whole blocks, without padding.
    func apply(to packet: inout [UInt8], range: Range<Int>, vector: CounterBlock) throws(CryptoError)
}
