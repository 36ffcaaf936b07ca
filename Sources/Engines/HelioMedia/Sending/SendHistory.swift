package import HelioCore

/// The newest packets of one stream, kept for retransmission when the peer reports them missing (RFC 4585 section
/// 6.2.1, RFC 4588).
///
/// The history is bounded in packets, bytes and age; the oldest packets are evicted first. Payloads stay in the buffers
/// of their slices, which are shared.
package struct SendHistory: Sendable {
    package struct Configuration: Sendable, Hashable {
        package var packets = 4096
        /// The maximum number of payload bytes kept.
        package var bytes = 6 * 1024 * 1024
        /// The age limit; no sink still waits for older packets.
        package var age: Duration = .seconds(1)
        /// The maximum number of retransmissions of one packet.
        package var resends = 10

        package init() {}
    }

    /// A reason why a request was refused.
    package enum Drop: String, CaseIterable, Sendable {
        /// The packet was never sent, or was evicted by newer ones.
        case unknown
        case tooOld
        /// The packet was retransmitted less than `resendSpacing` ago: that copy may still arrive.
        case tooSoon
        case tooOften
    }

    /// The response to a request for a packet.
    package struct Answer: Sendable {
        /// The extended number of the packet to retransmit now, and the size of its payload; `nil` if the request was
        /// refused and counted in `drops`.
        package var resent: (sequence: ExtendedSequence, size: Int)?
        /// The packet's timestamp if the peer will probably stop requesting it: libwebrtc requests a packet at most ten
        /// times, then shows nothing for three seconds without further feedback.
        package var abandoned: UInt32?
    }

    /// The minimum time between two copies of one packet: the measured round-trip time, at least 2 ms; 10 ms until it
    /// is measured.
    package var resendSpacing: Duration = .milliseconds(10)
    package private(set) var drops = DropCounter<Drop>()
    /// The number of payload bytes kept at present.
    package private(set) var heldBytes = 0

    /// The number of requests for one packet after which the peer is expected to stop requesting it soon.
    private static let lastRequest: UInt8 = 9

    private let configuration: Configuration
    private var window: SequenceWindow<SentPacket>
    /// The first packet that the peer requested and that was evicted before the peer received it.
    private var evictedHole: (sequence: ExtendedSequence, timestamp: UInt32)?

    package init(first: ExtendedSequence, configuration: Configuration = Configuration()) {
        self.configuration = configuration
        window = SequenceWindow(first: first.rawValue)
    }

    /// Keeps a packet that was just sent. If its number does not directly follow that of the last packet, the history
    /// is emptied first.
    package mutating func insert(_ packet: consuming SentPacket, sequence: ExtendedSequence) {
        if window.end != sequence.rawValue {
            heldBytes = 0
            evictedHole = nil
            window.restart(at: sequence.rawValue)
        }
        let now = packet.sent
        heldBytes += packet.payload.count
        window.append(packet)
        while window.count > configuration.packets || heldBytes > configuration.bytes { removeFirst() }
        forgetOld(now: now)
    }

    package mutating func forgetOld(now: Instant) {
        while let oldest = window[window.first], now - oldest.sent > configuration.age { removeFirst() }
    }

    /// Handles the peer's request (NACK) for the packet with the 16-bit number `wire`.
    package mutating func request(_ wire: UInt16, now: Instant) -> Answer {
        var answer = Answer()
        guard let number = number(of: wire), var packet = window[number] else {
            drops.count(.unknown)
            return answer
        }
        if packet.requests < Self.lastRequest {
            packet.requests += 1
            if packet.requests == Self.lastRequest { answer.abandoned = packet.timestamp }
        }
        if let reason = refusal(of: packet, now: now) {
            drops.count(reason)
        } else {
            packet.order(now: now)
            answer.resent = (ExtendedSequence(number), packet.payload.count)
        }
        window[number] = packet
        return answer
    }

    /// Handles transport-wide feedback that reports a copy as missing.
    ///
    /// - Returns: The size of the payload in bytes if the packet is to be retransmitted now; `nil` if a newer copy was
    ///   sent or is queued, or if the packet is too old or was retransmitted too often.
    package mutating func report(missing copy: PacketCopy, now: Instant) -> Int? {
        let number = copy.sequence.rawValue
        guard var packet = window[number], packet.newestCopy == copy.number, !packet.isOrdered,
            now - packet.sent <= configuration.age, Int(packet.resends) < configuration.resends
        else { return nil }
        packet.order(now: now)
        window[number] = packet
        return packet.payload.count
    }

    /// Prepares a retransmission that the peer has not requested.
    ///
    /// - Returns: the size of the payload in bytes; `nil` if the packet was evicted or already retransmitted.
    package mutating func repeatOnce(_ sequence: ExtendedSequence, now: Instant) -> Int? {
        guard var packet = window[sequence.rawValue], packet.resends == 0 else { return nil }
        packet.order(now: now)
        window[sequence.rawValue] = packet
        return packet.payload.count
    }

    /// Records that transport-wide feedback reports a copy as received.
    package mutating func report(arrived copy: PacketCopy) {
        guard var packet = window[copy.sequence.rawValue], !packet.hasArrived else { return }
        packet.hasArrived = true
        window[copy.sequence.rawValue] = packet
    }

    /// The first packet, from `first` on, that the peer is not known to have, with its timestamp; `nil` if there is
    /// none.
    ///
    /// - Parameter wait: the time after which a packet counts as restored by parity if the peer has not requested it.
    func firstHole(
        from first: ExtendedSequence?, unaskedFor wait: Duration, now: Instant
    ) -> (sequence: ExtendedSequence, timestamp: UInt32)? {
        if let evictedHole { return evictedHole }
        var number = max(window.first, first?.rawValue ?? 0)
        while let packet = window[number] {
            let isRestored = packet.requests == 0 && now - packet.sent > wait
            if !packet.hasArrived, !isRestored { return (ExtendedSequence(number), packet.timestamp) }
            number += 1
        }
        return nil
    }

    /// Records that the peer no longer needs the packets before this one.
    mutating func forgetHoles(before sequence: ExtendedSequence) {
        if let hole = evictedHole, hole.sequence < sequence { evictedHole = nil }
    }

    /// Returns whether the peer still lacks a packet that it requested and that was sent again, `patience` after the
    /// packet left for the first time.
    func isLate(_ sequence: ExtendedSequence, patience: Duration, now: Instant) -> Bool {
        guard let packet = window[sequence.rawValue], !packet.hasArrived else { return false }
        return packet.requests > 0 && packet.resends > 0 && now - packet.sent >= patience
    }

    /// Records that a copy is sent, with its transport-wide number; `nil` if copies are not numbered.
    package mutating func departed(_ sequence: ExtendedSequence, copy number: UInt64?) {
        guard var packet = window[sequence.rawValue] else { return }
        packet.isOrdered = false
        packet.newestCopy = number
        window[sequence.rawValue] = packet
    }

    /// The reason to refuse a retransmission now; `nil` if it is allowed.
    private func refusal(of packet: SentPacket, now: Instant) -> Drop? {
        if now - packet.sent > configuration.age { return .tooOld }
        if Int(packet.resends) >= configuration.resends { return .tooOften }
        if let last = packet.lastResent, now - last < resendSpacing { return .tooSoon }
        return nil
    }

    /// The packet with this number; `nil` if it was evicted meanwhile.
    package subscript(_ sequence: ExtendedSequence) -> SentPacket? { window[sequence.rawValue] }

    /// The newest packet with at least this payload size in bytes, among the last 64 packets.
    package func newest(atLeast bytes: Int) -> ExtendedSequence? {
        var number = window.end
        while number > window.first, window.end - number < 64 {
            number -= 1
            if let packet = window[number], packet.payload.count >= bytes { return ExtendedSequence(number) }
        }
        return nil
    }

    private func number(of wire: UInt16) -> UInt64? {
        guard window.end > 0 else { return nil }
        let newest = window.end - 1
        let behind = UInt64(UInt16(truncatingIfNeeded: newest) &- wire)
        return behind <= newest ? newest - behind : nil
    }

    private mutating func removeFirst() {
        if let packet = window[window.first] {
            heldBytes -= packet.payload.count
            if !packet.hasArrived, packet.requests > 0, evictedHole == nil {
                evictedHole = (ExtendedSequence(window.first), packet.timestamp)
            }
        }
        window.removeFirst()
    }
}
