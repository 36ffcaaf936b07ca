package import HelioCore

/// What a broadcast has sent to one destination, and how that goes: for statistics and a line of a terminal. Totals go on
/// over connections.
package struct BroadcastStatistics: Sendable, Hashable, DropReporting {
    package var state = BroadcastState.connecting
    /// Bits a second of media, over the last second.
    package var rate = Bitrate(bitsPerSecond: 0)
    /// Of the present connection; `nil` where the transport does not know it.
    package var roundTrip: Duration?
    /// How long the oldest unit has waited.
    package var queued = Duration.zero
    /// Units that the transport took.
    package var pictures: Int64 = 0
    package var keyframes: Int64 = 0
    package var sounds: Int64 = 0
    /// Bytes of media that the transport took.
    package var mediaBytes: Int64 = 0
    /// Bytes that it handed to the network.
    package var sentBytes: Int64 = 0
    package var connections = 0
    package var stalls = 0
    /// What was not sent, by name.
    package var drops: [String: Int] = [:]

    package init() {}

    /// Units that were not sent.
    package var dropped: Int { drops.values.reduce(0, +) }

    /// The state in one line, for a person: `live, 2.4 Mbit/s, round trip 34 ms, 12 dropped`.
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
