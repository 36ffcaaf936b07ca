import HelioCongestion
import HelioCore

/// The packets of one stream's last moments, to be wrapped and sent again when the peer reports them missing
/// (RFC 4588). Bounded in packets, bytes and age as ``SendHistory``, whose names of drops it shares, but open and
/// without copies: payloads lie in the buffers that their slices share.
struct SentPackets: Sendable {
    /// The least time between two copies of one packet: the round-trip time.
    var resendSpacing: Duration = .milliseconds(10)
    private(set) var drops = DropCounter<SendHistory.Drop>()
    /// Of payloads.
    private(set) var heldBytes = 0

    private let configuration: SendHistory.Configuration
    private var window: SequenceWindow<SentPacket>

    init(first: ExtendedSequence, configuration: SendHistory.Configuration) {
        self.configuration = configuration
        window = SequenceWindow(first: first.rawValue)
    }

    /// Keeps a packet that was just sent. Its number is one more than that of the packet before.
    mutating func insert(_ packet: consuming SentPacket, sequence: ExtendedSequence) {
        if window.end != sequence.rawValue { removeAll(next: sequence) }
        let now = packet.sent
        heldBytes += packet.payload.count
        window.append(packet)
        while window.count > configuration.packets || heldBytes > configuration.bytes { removeFirst() }
        forgetOld(now: now)
    }

    mutating func forgetOld(now: Instant) {
        while let oldest = window[window.first], now - oldest.sent > configuration.age { removeFirst() }
    }

    /// The wide number of a packet that is to be sent again now, and its bytes of payload; `nil` with a counted reason
    /// when it is not.
    mutating func request(_ wire: UInt16, now: Instant) -> (sequence: ExtendedSequence, size: Int)? {
        guard window.end > 0 else { return drop(.unknown) }
        let newest = window.end - 1
        let behind = UInt64(UInt16(truncatingIfNeeded: newest) &- wire)
        guard behind <= newest, var packet = window[newest - behind] else { return drop(.unknown) }
        if now - packet.sent > configuration.age { return drop(.tooOld) }
        if Int(packet.resends) >= configuration.resends { return drop(.tooOften) }
        if let last = packet.lastResent, now - last < resendSpacing { return drop(.tooSoon) }
        packet.resends += 1
        packet.lastResent = now
        let size = packet.payload.count
        window[newest - behind] = packet
        return (ExtendedSequence(newest - behind), size)
    }

    /// A packet that was asked for; `nil` where it has become too old meanwhile.
    subscript(_ sequence: ExtendedSequence) -> SentPacket? { window[sequence.rawValue] }

    private mutating func removeFirst() {
        heldBytes -= window[window.first]?.payload.count ?? 0
        window.removeFirst()
    }

    private mutating func removeAll(next: ExtendedSequence) {
        heldBytes = 0
        window.restart(at: next.rawValue)
    }

    private mutating func drop(_ reason: SendHistory.Drop) -> (sequence: ExtendedSequence, size: Int)? {
        drops.count(reason)
        return nil
    }
}
