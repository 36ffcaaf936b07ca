package import HelioCore

/// The reason for dropping a datagram of a sealed channel.
package enum SealedDrop: String, CaseIterable, Hashable, Sendable {
    /// A datagram shorter than a sequence number and a tag.
    case truncated
    /// A datagram with a wrong tag: another key was used, or the datagram was modified.
    case authenticationFailed = "authentication-failed"
    /// A datagram with a sequence number that was received before.
    case replayed
    /// A datagram older than the replay window, which might be a replay.
    case tooOld = "too-old"
}

/// The decryptor of one direction of a control channel, the counterpart of ``SealedSender``.
package struct SealedReceiver: ~Copyable {
    /// The number of dropped datagrams by reason.
    package private(set) var drops = DropCounter<SealedDrop>()
    private let key: SealedKey
    private let opener: any AEADOpener
    private let leastLength: Int
    private var window = ReplayWindow()

    package init(key: SealedKey, crypto: some CryptoProvider) throws(CryptoError) {
        self.key = key
        let opener = try crypto.opener(key: key.key)
        self.opener = opener
        leastLength = 8 + opener.leastOverhead
    }

    /// Decrypts a datagram; returns `nil` and counts the reason if it is dropped. Duplicates are dropped, but datagrams
    /// are not reordered. The decryption is in place if the caller holds no other reference to the datagram.
    package mutating func open(_ datagram: consuming [UInt8]) -> [UInt8]? {
        guard datagram.count >= leastLength, let sequence = datagram.span.bytes.uint64(at: 0) else {
            return drop(.truncated)
        }
        switch window.verdict(on: sequence) {
        case .fresh: break
        case .repeated: return drop(.replayed)
        case .tooOld: return drop(.tooOld)
        }
        guard opener.open(&datagram, from: 8, trailer: nil, nonce: key.nonce(sequence: sequence)) else {
            return drop(.authenticationFailed)
        }
        window.commit(sequence)
        datagram.removeFirst(8)
        return datagram
    }

    private mutating func drop(_ reason: SealedDrop) -> [UInt8]? {
        drops.count(reason)
        return nil
    }
}

// Sendable, as a receiver has one owner at a time (it can't be copied), changes only in `mutating` methods, and is the
// only user of its context (CryptoProvider).
extension SealedReceiver: @unchecked Sendable {}
