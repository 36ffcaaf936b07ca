package import HelioCore

/// The last packets of one stream, and the decision which of them may be sent again when the peer reports them missing
/// (RFC 4585 section 6.2.1, RFC 4588).
///
/// Bounded in packets, bytes and age; the oldest go first. Payloads lie in the buffers that their slices share.
package struct SendHistory: Sendable {
    package struct Configuration: Sendable, Hashable {
        package var packets = 4096
        /// The most bytes of payloads.
        package var bytes = 6 * 1024 * 1024
        /// The greatest age; what is older has been abandoned by every sink.
        package var age: Duration = .seconds(1)
        /// The most retransmissions of one packet.
        package var resends = 10

        package init() {}
    }

    /// A reason why a report of loss was not answered.
    package enum Drop: String, CaseIterable, Sendable {
        /// Never sent, or evicted by newer packets.
        case unknown
        case tooOld
        /// It was retransmitted less than `resendSpacing` ago: that copy may still arrive.
        case tooSoon
        case tooOften
    }

    /// What comes of a request for a packet.
    package struct Answer: Sendable {
        /// The wide number of the packet, which is to be retransmitted now, and the size of its payload; `nil`, with a
        /// counted reason, where it is not.
        package var resent: (sequence: ExtendedSequence, size: Int)?
        /// The packet's timestamp where the peer is about to give it up: libwebrtc asks ten times at most, then says
        /// nothing for three seconds in which nothing is shown.
        package var abandoned: UInt32?
    }

    /// The least time between two copies of one packet: the round-trip time, as the session measures it.
    package var resendSpacing: Duration = .milliseconds(10)
    package private(set) var drops = DropCounter<Drop>()
    /// Bytes of the payloads held.
    package private(set) var heldBytes = 0

    /// The request for one packet after which its peer is taken to be about to give up.
    private static let lastRequest: UInt8 = 9

    private let configuration: Configuration
    private var window: SequenceWindow<SentPacket>

    package init(first: ExtendedSequence, configuration: Configuration = Configuration()) {
        self.configuration = configuration
        window = SequenceWindow(first: first.rawValue)
    }

    /// Keeps a packet that was just sent. Its number is one more than that of the packet before.
    package mutating func insert(_ packet: consuming SentPacket, sequence: ExtendedSequence) {
        if window.end != sequence.rawValue {
            heldBytes = 0
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

    /// Takes the peer's request for a packet.
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

    /// Takes the peer's word that a copy has not come by which it told of later ones.
    ///
    /// - Returns: The size of the payload, if it is to be retransmitted now: no newer copy has left or is about to.
    package mutating func report(missing copy: PacketCopy, now: Instant) -> Int? {
        let number = copy.sequence.rawValue
        guard var packet = window[number], packet.newestCopy == copy.number, !packet.isOrdered,
            now - packet.sent <= configuration.age, Int(packet.resends) < configuration.resends
        else { return nil }
        packet.order(now: now)
        window[number] = packet
        return packet.payload.count
    }

    /// Notes that a copy leaves, by its transport-wide number; `nil`: those are not numbered.
    package mutating func departed(_ sequence: ExtendedSequence, copy number: UInt64?) {
        guard var packet = window[sequence.rawValue] else { return }
        packet.isOrdered = false
        packet.newestCopy = number
        window[sequence.rawValue] = packet
    }

    /// The reason why a packet is not retransmitted now; `nil` where it is.
    private func refusal(of packet: SentPacket, now: Instant) -> Drop? {
        if now - packet.sent > configuration.age { return .tooOld }
        if Int(packet.resends) >= configuration.resends { return .tooOften }
        if let last = packet.lastResent, now - last < resendSpacing { return .tooSoon }
        return nil
    }

    /// The packet that was requested; `nil` where it has become too old meanwhile.
    package subscript(_ sequence: ExtendedSequence) -> SentPacket? { window[sequence.rawValue] }

    /// The newest packet whose payload has so many bytes, among the last few.
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
        heldBytes -= window[window.first]?.payload.count ?? 0
        window.removeFirst()
    }
}
