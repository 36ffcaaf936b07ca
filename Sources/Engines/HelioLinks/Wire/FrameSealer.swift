import HelioCore
import HelioProtection

/// The layout of a sealed frame.
///
///     | type 1 | lane 1 | counter 7 | message, encrypted | tag 16 |
///
/// The lane is the sender's number of the link. Each lane has a counter and a replay window of its own, as links have
/// different delays. Lane and counter make the nonce, so no nonce is used twice with a direction's key, and they are
/// authenticated together with the type.
enum SealedFrame {
    static let headerSize = 9
    /// The maximum counter of a lane, in 7 bytes.
    static let counterMask: UInt64 = 1 << 56 - 1
}

/// The encryptor of this end's frames.
struct FrameSealer {
    private let key: SealedKey
    private let sealer: any AEADSealer
    /// The last counter of each lane. A link that comes back continues its lane.
    private var counters: [LinkID: UInt64] = [:]

    init(_ key: SealedKey, crypto: any CryptoProvider) throws(CryptoError) {
        self.key = key
        sealer = try crypto.sealer(key: key.key)
    }

    /// The counter of the last frame of a lane; 0 if there was none.
    func lastCounter(of lane: LinkID) -> UInt64 { counters[lane] ?? 0 }

    /// Seals a frame; `nil` if the library fails or the lane has used up its counters.
    mutating func seal(_ type: FrameType, _ message: [UInt8], lane: LinkID) -> [UInt8]? {
        let counter = lastCounter(of: lane) + 1
        guard counter <= SealedFrame.counterMask else { return nil }
        counters[lane] = counter
        let sequence = UInt64(lane.value) << 56 | counter
        var frame: [UInt8] = []
        frame.reserveCapacity(SealedFrame.headerSize + message.count + sealer.mostOverhead)
        frame.append(type.rawValue)
        frame.append(bigEndian: sequence)
        frame.append(contentsOf: message)
        do {
            try sealer.seal(
                &frame, from: SealedFrame.headerSize, trailer: nil, nonce: key.nonce(sequence: sequence))
        } catch { return nil }
        return frame
    }
}

/// The decryptor of the peer's frames.
struct FrameOpener {
    /// The result of opening a frame.
    enum Result {
        case opened(lane: LinkID, message: [UInt8])
        case dropped(LinkDrop)
    }

    private let key: SealedKey
    private let opener: any AEADOpener
    /// The replay windows of the peer's lanes, at most 256, made by authentic frames only.
    private var windows: [LinkID: ReplayWindow] = [:]

    init(_ key: SealedKey, crypto: any CryptoProvider) throws(CryptoError) {
        self.key = key
        opener = try crypto.opener(key: key.key)
    }

    mutating func open(_ frame: consuming [UInt8]) -> Result {
        guard frame.count >= SealedFrame.headerSize + opener.leastOverhead,
            let sequence = frame.span.bytes.uint64(at: 1)
        else { return .dropped(.truncated) }
        let lane = LinkID(UInt8(truncatingIfNeeded: sequence >> 56))
        let counter = sequence & SealedFrame.counterMask
        switch windows[lane]?.verdict(on: counter) ?? .fresh {
        case .fresh: break
        case .repeated: return .dropped(.replayed)
        case .tooOld: return .dropped(.tooOld)
        }
        guard
            opener.open(
                &frame, from: SealedFrame.headerSize, trailer: nil, nonce: key.nonce(sequence: sequence))
        else { return .dropped(.authenticationFailed) }
        windows[lane, default: ReplayWindow()].commit(counter)
        frame.removeFirst(SealedFrame.headerSize)
        return .opened(lane: lane, message: frame)
    }
}
