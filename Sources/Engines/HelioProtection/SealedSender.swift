import HelioCore

/// The encryptor of one direction of a control channel.
///
///     | sequence, 8 bytes, big-endian, in clear | message, encrypted | tag, 16 bytes |
///
/// The encryption is AES-128-GCM, or a suite that replaces it. The sequence number is authenticated, and counts
/// datagrams from 0.
package struct SealedSender: ~Copyable {
    /// The number of bytes by which sealing lengthens a message with AES-GCM.
    package static let overhead = 8 + aeadTagLength

    /// The sequence number of the next datagram.
    package private(set) var nextSequence: UInt64 = 0
    private let key: SealedKey
    private let sealer: any AEADSealer
    private let mostOverhead: Int

    package init(key: SealedKey, crypto: some CryptoProvider) throws(CryptoError) {
        self.key = key
        let sealer = try crypto.sealer(key: key.key)
        self.sealer = sealer
        mostOverhead = 8 + sealer.mostOverhead
    }

    package mutating func seal(_ message: [UInt8]) throws(CryptoError) -> [UInt8] {
        let sequence = nextSequence
        nextSequence += 1
        var datagram: [UInt8] = []
        datagram.reserveCapacity(message.count + mostOverhead)
        datagram.append(bigEndian: sequence)
        datagram.append(contentsOf: message)
        try sealer.seal(&datagram, from: 8, trailer: nil, nonce: key.nonce(sequence: sequence))
        return datagram
    }
}

// Sendable, as a sender has one owner at a time (it can't be copied), changes only in `mutating` methods, and is the
// only user of its context (CryptoProvider).
extension SealedSender: @unchecked Sendable {}
