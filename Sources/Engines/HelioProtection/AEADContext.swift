/// The 96-bit nonce of AES-GCM, which must not be used twice with the same key.
package typealias AEADNonce = InlineArray<12, UInt8>

/// The length of an AES-GCM tag, in bytes.
package let aeadTagLength = 16

/// An in-place packet encryptor with one key: AES-GCM, or a `ProtectionSuite` that replaces it.
package protocol AEADSealer: AnyObject {
    /// The maximum number of bytes by which sealing lengthens a packet.
    var mostOverhead: Int { get }

    /// Encrypts `packet[start...]` in place and appends the tag. A suite also appends its initialisation vector.
    ///
    /// The tag also authenticates `packet[..<start]`, followed by `trailer` as 4 big-endian bytes if it is not `nil`:
    /// SRTCP's index, which is sent after the tag (RFC 7714 section 9.2). The caller must not use a nonce twice. With
    /// spare capacity of `mostOverhead` bytes in `packet`, nothing is allocated.
    func seal(_ packet: inout [UInt8], from start: Int, trailer: UInt32?, nonce: AEADNonce) throws(CryptoError)
}

/// An in-place packet decryptor with one key: AES-GCM, or a `ProtectionSuite` that replaces it.
package protocol AEADOpener: AnyObject {
    /// The minimum number of bytes by which sealing lengthens a packet.
    var leastOverhead: Int { get }

    /// The reverse of ``AEADSealer/seal(_:from:trailer:nonce:)``: checks and removes the tag, and decrypts.
    ///
    /// Returns false if the packet is too short for `start` and a tag, or if the authentication fails. The packet is
    /// then emptied, so that unauthenticated plaintext can't be read.
    func open(_ packet: inout [UInt8], from start: Int, trailer: UInt32?, nonce: AEADNonce) -> Bool
}

extension AEADSealer {
    package var mostOverhead: Int { aeadTagLength }
}

extension AEADOpener {
    package var leastOverhead: Int { aeadTagLength }
}
