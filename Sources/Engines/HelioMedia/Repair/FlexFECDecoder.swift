internal import DequeModule
package import HelioCore
package import HelioRTP

/// Restores lost packets of one stream from FlexFEC: a parity packet restores any one of the packets that it protects,
/// once all others are known. A restored packet may enable another parity packet to restore one.
///
/// The memory is bounded in packets and bytes; the oldest packets are evicted first. Nothing is kept until parity is
/// received. A retransmission does not count as the packet that it repeats, as its header extension may differ:
/// libwebrtc does the same.
package struct FlexFECDecoder: ParityDecoding {
    private struct Parity {
        let header: FlexFECHeader
        /// The numbers of the protected packets.
        let covered: [UInt64]
        let bytes: [UInt8]
        /// The offset in `bytes` of the XOR of everything after the fixed headers.
        let start: Int
        let since: Instant
    }

    private static let capacity: UInt64 = 1024
    private static let mostBytes = 2 << 20
    private static let mostParities = 64
    private static let mostParityBytes = 1 << 20
    /// The maximum number of packets by which a protected packet may be ahead of all received ones: the largest gap
    /// that is repaired.
    private static let mostAhead: UInt64 = 512
    /// The age at which a parity packet is dropped: no receiver waits that long.
    private static let longestAge = Duration.seconds(1)

    package var isActive: Bool { recent.isActive }
    private let stamped: [UInt8]
    /// Whole packets, with stamped elements zeroed.
    private var recent = RecentPackets<[UInt8]>(capacity: Self.capacity, mostBytes: Self.mostBytes)
    private var parityBytes = 0
    /// The parity packets for which two or more protected packets are missing, oldest first.
    private var parities: [Parity] = []
    private var outputs = Deque<ParityDecoder.Restored>()

    /// - Parameter stamped: the IDs of the header extension's elements that are stamped as packets leave.
    package init(stamped: [UInt8]) { self.stamped = stamped }

    package mutating func poll() -> ParityDecoder.Restored? { outputs.popFirst() }

    // MARK: Packets

    package mutating func take(
        _ packet: [UInt8], _ header: RTPHeader, payload: Range<Int>, type: PayloadType, sequence: ExtendedSequence,
        ssrc: SSRC
    ) {
        guard isActive, header.ssrc == ssrc, packet.count >= header.length else { return }
        guard takes(sequence.rawValue) else { return }
        var bytes = packet
        for id in stamped {
            guard let element = RTPHeaderExtension.find(id: id, of: header, in: packet.span.bytes) else { continue }
            for offset in element { bytes[offset] = 0 }
        }
        recent.hold(bytes, size: bytes.count, as: sequence.rawValue)
        if !parities.isEmpty { restore(ssrc) }
    }

    /// Advances the window to a packet's number. Returns true if the packet is neither a duplicate nor older than the
    /// window.
    private mutating func takes(_ number: UInt64) -> Bool {
        if recent.advance(to: number) { removeParities { _ in true } }
        return recent.takes(number)
    }

    private mutating func removeParities(where isOver: (Parity) -> Bool) {
        parities.removeAll(where: isOver)
        parityBytes = parities.reduce(0) { $0 + $1.bytes.count }
    }

    // MARK: Parity

    package mutating func take(
        parity packet: [UInt8], payload: Range<Int>, numbers: SequenceExtender, ssrc: SSRC, now: Instant
    ) -> ParityDecoder.Outcome {
        guard payload.lowerBound >= 0, payload.upperBound <= packet.count,
            let header = FlexFECHeader.parse(packet.span.bytes.extracting(payload)), payload.count >= header.size
        else { return .malformed }
        guard header.ssrc == ssrc, let newest = numbers.highest?.rawValue else { return .stray }
        if !isActive { recent.begin(at: newest) }
        let base = numbers.extended(header.base).rawValue
        let covered = header.places.map { base + UInt64($0) }
        guard let first = covered.first, let last = covered.last, last < newest + Self.mostAhead,
            first + Self.capacity > max(newest, recent.highest)
        else { return .stray }
        let highest = recent.highest
        removeParities { now - $0.since > Self.longestAge || ($0.covered.first ?? 0) + Self.capacity <= highest }
        let lost = covered.filter { !recent.holds($0) }
        guard let missing = lost.first else { return .isWhole }
        let parity = Parity(
            header: header, covered: covered, bytes: Array(packet[..<payload.upperBound]),
            start: payload.lowerBound + header.size, since: now)
        if lost.count == 1 {
            guard give(missing, of: parity, ssrc) else { return .malformed }
            restore(ssrc)
            return .isWhole
        }
        let end = ExtendedSequence(last + 1)
        // An equal header marks a duplicate, which senders make if there is more parity than packets.
        guard !parities.contains(where: { $0.header == header }) else { return .lacks(end: end) }
        parities.append(parity)
        parityBytes += parity.bytes.count
        while parities.count > Self.mostParities || parityBytes > Self.mostParityBytes, parities.count > 1 {
            parityBytes -= parities.removeFirst().bytes.count
        }
        return .lacks(end: end)
    }

    /// Restores all packets that can be restored; each of them may help to restore others.
    ///
    /// The search starts again after each restored packet, which is cheap, as there are few parity packets.
    private mutating func restore(_ ssrc: SSRC) {
        var index = 0
        while index < parities.count {
            let lost = parities[index].covered.filter { !recent.holds($0) }
            guard lost.count <= 1 else {
                index += 1
                continue
            }
            let parity = parities.remove(at: index)
            parityBytes -= parity.bytes.count
            // The restored packet may be one that another parity packet needs.
            if let missing = lost.first, give(missing, of: parity, ssrc) { index = 0 }
        }
    }

    /// Restores the one packet that a parity packet lacks, and outputs it.
    ///
    /// - Returns: false if the result is not a valid packet.
    private mutating func give(_ missing: UInt64, of parity: Parity, _ ssrc: SSRC) -> Bool {
        var recovery = parity.header.recovery
        var rest = Array(parity.bytes[parity.start...])
        for number in parity.covered where number != missing {
            guard let bytes = recent[number] else { return false }
            let packet = bytes.span.bytes
            guard packet.byteCount - RTPHeader.fixedSize <= rest.count, recovery.add(packet: packet) else {
                return false
            }
            GaloisField.add(packet.extracting(RTPHeader.fixedSize..<packet.byteCount), to: &rest, at: 0)
        }
        let sequence = ExtendedSequence(missing)
        guard let packet = recovery.packet(sequence: sequence.wire, ssrc: ssrc, rest: rest) else { return false }
        if takes(missing) { recent.hold(packet, size: packet.count, as: missing) }
        outputs.append(ParityDecoder.Restored(bytes: packet, sequence: sequence))
        return true
    }
}
