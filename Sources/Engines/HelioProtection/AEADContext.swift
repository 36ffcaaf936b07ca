/// The nonce of AES-GCM: used once with its key.
package typealias AEADNonce = InlineArray<12, UInt8>

/// The bytes of the tag that AES-GCM appends.
package let aeadTagLength = 16

/// AES-GCM, or a suite in its place, under one key, sealing packets in place.
package protocol AEADSealer: AnyObject {
    /// The most bytes by which sealing makes a packet longer.
    var mostOverhead: Int { get }

    /// Encrypts `packet[start...]` in place and appends the tag; a suite also appends its initialisation vector.
    ///
    /// Also authenticates `packet[..<start]` and then, if there is one, `trailer` as four big-endian bytes: SRTCP's
    /// index, which is sent after the tag (RFC 7714 section 9.2). The caller ensures that a nonce is never used twice
    /// and that `start` lies in the packet. Spare capacity for the overhead saves an allocation.
    func seal(_ packet: inout [UInt8], from start: Int, trailer: UInt32?, nonce: AEADNonce) throws(CryptoError)
}

/// AES-GCM, or a suite in its place, under one key, opening packets in place.
package protocol AEADOpener: AnyObject {
    /// The least bytes by which a packet is longer than its plain content.
    var leastOverhead: Int { get }

    /// The reverse of ``AEADSealer/seal(_:from:trailer:nonce:)``: checks and removes the tag, and decrypts.
    ///
    /// Returns `false` if the packet is too short for `start` and a tag, or not genuine; it is emptied then, so that
    /// nobody reads bytes that were decrypted but not authenticated.
    func open(_ packet: inout [UInt8], from start: Int, trailer: UInt32?, nonce: AEADNonce) -> Bool
}

extension AEADSealer {
    package var mostOverhead: Int { aeadTagLength }
}

extension AEADOpener {
    package var leastOverhead: Int { aeadTagLength }
}
