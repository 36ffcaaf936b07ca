package import HelioCore

/// The statistics of a broadcast to one destination. Totals include earlier connections.
package struct BroadcastStatistics: Sendable, Hashable {
    package var state = BroadcastState.connecting
    /// The media bitrate over the last second.
    package var rate = Bitrate(bitsPerSecond: 0)
    /// The round trip of the present connection; `nil` if the transport does not know it.
    package var roundTrip: Duration?
    /// The time that the oldest queued unit has waited.
    package var queued = Duration.zero
    /// The number of pictures that the transport has taken, including keyframes.
    package var pictures: Int64 = 0
    /// The number of keyframes that the transport has taken.
    package var keyframes: Int64 = 0
    /// The number of sound packets that the transport has taken.
    package var sounds: Int64 = 0
    /// The bytes of media that the transport has taken.
    package var mediaBytes: Int64 = 0
    /// The bytes that the transport has sent, including headers and retransmissions.
    package var sentBytes: Int64 = 0
    package var connections = 0
    package var stalls = 0
    /// Counts of units that were not sent, by reason.
    package var drops: [String: Int] = [:]

    package init() {}

    /// The number of units that were not sent.
    package var dropped: Int { drops.values.reduce(0, +) }

    /// The state as a human-readable line: `live, 2.4 Mbit/s, round trip 34 ms, 12 dropped`.
    package var line: String {
        var parts = [state.name]
        switch state {
        case .live, .stalled:
            parts.append("\(rate)")
            if let roundTrip { parts.append("round trip \(roundTrip.nanoseconds / 1_000_000) ms") }
        case .waiting, .connecting, .refused, .ended: break
        }
        if dropped > 0 { parts.append("\(dropped) dropped") }
        let line = parts.joined(separator: ", ")
        return state.failure.map { "\(line): \($0.message)" } ?? line
    }
}
