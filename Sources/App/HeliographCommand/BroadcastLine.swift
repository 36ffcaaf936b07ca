private import Foundation
internal import Heliograph

/// Formats the status of a broadcast as text.
enum BroadcastLine {
    /// Returns a sentence about a change of state; `nil` for `connecting`, which is not reported.
    static func sentence(_ url: String, _ state: BroadcastStatus.State, _ reason: String?) -> String? {
        switch state {
        case .connecting: nil
        case .waiting:
            reason.map { "Not live at \(url): \($0) Heliograph keeps trying." }
                ?? "Ready at \(url): waiting for a player to connect."
        case .live: "Live at \(url)."
        case .stalled: "\(url) is not accepting the picture at the moment."
        case .refused: "Not broadcast at \(url), and not tried again: \(reason ?? "the server refused it.")"
        case .ended: "The broadcast at \(url) has ended."
        }
    }

    /// Returns all statuses in short form for the terminal's status row: `live 2.9 Mbit/s 34 ms`; `nil` without
    /// broadcasts.
    static func status(_ statuses: [BroadcastStatus]) -> String? {
        let parts = statuses.map { status in
            guard status.state == .live || status.state == .stalled else { return status.state.rawValue }
            var text = "\(status.state.rawValue) \(rate(status))"
            if let roundTrip = status.roundTrip { text += String(format: " %.0f ms", roundTrip) }
            if status.dropped > 0 { text += " \(status.dropped) dropped" }
            return text
        }
        return parts.isEmpty ? nil : parts.joined(separator: " | ")
    }

    /// Returns the broadcast's line in the list of viewers.
    static func summary(_ status: BroadcastStatus) -> String {
        var facts = [status.state.rawValue]
        if status.state == .live || status.state == .stalled {
            facts.append(rate(status))
            if let roundTrip = status.roundTrip { facts.append(String(format: "%.0f ms there and back", roundTrip)) }
        }
        if status.dropped > 0 { facts.append("\(status.dropped) dropped") }
        let line = "  \(status.url) (a broadcast): \(facts.joined(separator: ", "))"
        return status.reason.map { "\(line): \($0)" } ?? line
    }

    private static func rate(_ status: BroadcastStatus) -> String {
        String(format: "%.1f Mbit/s", status.megabitsPerSecond)
    }
}
