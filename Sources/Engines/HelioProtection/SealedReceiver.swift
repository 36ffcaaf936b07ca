package import HelioCore

/// A reason for dropping a datagram of a sealed channel.
package enum SealedDrop: String, CaseIterable, Hashable, Sendable {
    /// Shorter than a sequence and a tag.
    case truncated
    /// Not made with our key, or changed on the way.
    case authenticationFailed = "authentication-failed"
    /// A genuine datagram that was received before.
    case replayed
    /// Older than the replay window: it can't be told from a replay.
    case tooOld = "too-old"
}

/// Opens the datagrams of one direction of a control channel: the counterpart of ``SealedSender``.
package struct SealedReceiver: ~Copyable {
    /// Counts of datagrams dropped so far, by reason.
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

    /// Opens a datagram; returns `nil` if it was dropped, which is counted. Messages come out in the order of their
    /// arrival, each at most once. A datagram that the caller does not keep is opened without a copy.
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

// Sound for the reasons given at SRTPSender.
extension SealedReceiver: @unchecked Sendable {}
