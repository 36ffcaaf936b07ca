package import HelioCore

/// The arrival times and losses of a transport's packets (transport-wide congestion control,
/// draft-holmer-rmcat-transport-wide-cc-extensions-01 section 3.1, PT 205, FMT 15).
///
/// ```
/// |    base sequence number (16)     |    packet status count (16)     |
/// |          reference time, 64 ms (24)        | feedback count (8)     |
/// |         packet chunk (16)        |  packet chunk (16)  …
/// |  receive delta (8 or 16) …  padding
///
/// run of one status:  | 0 | status (2) | run length (13) |
/// 14 statuses:        | 1 | 0 | status (1) * 14 |
/// 7 statuses:         | 1 | 1 | status (2) * 7 |
/// ```
/// A status: 0 not received, 1 received with a delta of 8 bits, 2 with a signed one of 16, 3 reserved.
package struct TransportFeedback: Sendable, Hashable {
    /// The most packets in one feedback, which cover seconds, while browsers report several times per second; a longer
    /// list is refused.
    package static let maximumPackets = 8192
    /// The unit of deltas.
    package static let tick = Duration.microseconds(250)
    /// The unit of the reference time.
    package static let referenceUnit = Duration.milliseconds(64)

    package var sender: SSRC
    package var media: SSRC
    /// The ``TransportSequence`` of the first reported packet.
    package var base: UInt16
    /// The reference time, in signed 24 bits of 64 ms on the receiver's clock, to which the first delta is relative.
    package var referenceTime: Int32
    /// The feedback count, which increases by one with each feedback packet, and wraps.
    package var count: UInt8
    /// The delta of each packet from `base` on: the time since the arrival of the previously received one, in ticks;
    /// `nil` if it was lost. 1 to ``maximumPackets``.
    package var deltas: [Int16?]

    package init(
        sender: SSRC, media: SSRC, base: UInt16, referenceTime: Int32, count: UInt8, deltas: [Int16?]
    ) {
        self.sender = sender
        self.media = media
        self.base = base
        self.referenceTime = referenceTime
        self.count = count
        self.deltas = deltas
    }

    /// The reported packets in order, with their arrival times on the receiver's clock; `nil` for a lost packet.
    package var arrivals: [(sequence: UInt16, at: Duration?)] {
        var clock = Self.referenceUnit * Int(referenceTime)
        return deltas.enumerated().map { index, delta in
            let sequence = base &+ UInt16(truncatingIfNeeded: index)
            guard let delta else { return (sequence, nil) }
            clock += Self.tick * Int(delta)
            return (sequence, clock)
        }
    }
}
