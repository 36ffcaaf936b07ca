package import HelioCore

/// A receiver's report on one stream that it receives (RFC 3550 section 6.4.1).
///
/// ```
/// |                 SSRC                  |
/// | fraction lost |   cumulative lost     |
/// |   extended highest sequence number    |
/// |           interarrival jitter         |
/// |            last SR (LSR)              |
/// |       delay since last SR (DLSR)      |
/// ```
package struct ReportBlock: Sendable, Hashable {
    package static let size = 24

    package var ssrc: SSRC
    /// The share of packets lost since the previous report, in 1/256.
    package var fractionLost: UInt8
    /// The number of packets lost since the start; 24 bits, signed: negative if more duplicates arrived than packets
    /// were lost.
    package var cumulativeLost: Int32
    /// The highest sequence number received: the number of wraps in the upper 16 bits, the sequence number in the
    /// lower.
    package var highestSequence: UInt32
    /// The interarrival jitter, in units of the RTP timestamp.
    package var jitter: UInt32
    /// The middle 32 bits of the last sender report's NTP time; 0 if none arrived.
    package var lastSenderReport: UInt32
    /// The delay since the last sender report, in 1/65536 s.
    package var delaySinceLastSenderReport: UInt32

    package init(
        ssrc: SSRC, fractionLost: UInt8, cumulativeLost: Int32, highestSequence: UInt32, jitter: UInt32,
        lastSenderReport: UInt32, delaySinceLastSenderReport: UInt32
    ) {
        self.ssrc = ssrc
        self.fractionLost = fractionLost
        self.cumulativeLost = cumulativeLost
        self.highestSequence = highestSequence
        self.jitter = jitter
        self.lastSenderReport = lastSenderReport
        self.delaySinceLastSenderReport = delaySinceLastSenderReport
    }

    static func parse(_ bytes: RawSpan, at offset: Int) -> Self? {
        guard
            let ssrc = bytes.uint32(at: offset), let fraction = bytes.uint8(at: offset + 4),
            let lost = bytes.uint24(at: offset + 5), let highest = bytes.uint32(at: offset + 8),
            let jitter = bytes.uint32(at: offset + 12), let last = bytes.uint32(at: offset + 16),
            let delay = bytes.uint32(at: offset + 20)
        else { return nil }
        return Self(
            ssrc: SSRC(ssrc), fractionLost: fraction, cumulativeLost: Int32(bitPattern: lost << 8) >> 8,
            highestSequence: highest, jitter: jitter, lastSenderReport: last, delaySinceLastSenderReport: delay)
    }

    func write(into bytes: inout [UInt8]) {
        let lost = min(max(cumulativeLost, -0x80_0000), 0x7F_FFFF)
        bytes.append(bigEndian: ssrc.rawValue)
        bytes.append(bigEndian: UInt32(fractionLost) << 24 | UInt32(bitPattern: lost) & 0xFF_FFFF)
        bytes.append(bigEndian: highestSequence)
        bytes.append(bigEndian: jitter)
        bytes.append(bigEndian: lastSenderReport)
        bytes.append(bigEndian: delaySinceLastSenderReport)
    }
}
