/// The number used once that goes with an AES-GCM key.
package typealias AEADNonce = InlineArray<12, UInt8>

/// The bytes of the tag that every AEAD here appends.
package let aeadTagLength = 16

/// AES-GCM under one key, sealing packets in place.
package protocol AEADSealer: AnyObject {
    /// Encrypts `packet[start...]` in place and appends the tag.
    ///
    /// Authenticated as well are `packet[..<start]` and then, where there is one, `trailer` as four
    /// big-endian bytes: SRTCP's index, which travels behind the tag (RFC 7714 section 9.2). The caller
    /// sees to it that a nonce is never used twice and that `start` lies in the packet. Spare capacity
    /// for the tag saves an allocation.
    func seal(_ packet: inout [UInt8], from start: Int, trailer: UInt32?, nonce: AEADNonce) throws(CryptoError)
}

/// AES-GCM under one key, opening packets in place.
package protocol AEADOpener: AnyObject {
    /// The reverse of ``AEADSealer/seal(_:from:trailer:nonce:)``: checks and removes the tag, and decrypts.
    ///
    /// `false` where the packet is too short for `start` and a tag or not genuine; it is emptied then, so
    /// that nobody reads bytes which were decrypted but not authenticated.
    func open(_ packet: inout [UInt8], from start: Int, trailer: UInt32?, nonce: AEADNonce) -> Bool
}
