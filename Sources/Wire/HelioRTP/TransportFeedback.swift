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
/// The statuses: 0 is not received, 1 is received with an 8-bit delta, 2 is received with a signed 16-bit delta, 3 is
/// reserved.
package struct TransportFeedback: Sendable, Hashable {
    /// The maximum number of packets in one feedback; a longer list is refused. That many packets take seconds, and
    /// browsers send several feedbacks a second.
    package static let maximumPackets = 8192
    /// The unit of deltas.
    package static let tick = Duration.microseconds(250)
    /// The unit of the reference time.
    package static let referenceUnit = Duration.milliseconds(64)

    package var sender: SSRC
    package var media: SSRC
    /// The ``TransportSequence`` of the first reported packet.
    package var base: UInt16
    /// The time that the first delta is relative to: a signed 24-bit number of 64 ms on the receiver's clock.
    package var referenceTime: Int32
    /// The feedback count, which increases by 1 with each feedback packet and wraps after 255.
    package var count: UInt8
    /// The times between the arrival of each packet from `base` on and that of the previous received packet, in ticks;
    /// `nil` for a lost packet. The array has 1 to ``maximumPackets`` elements.
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
