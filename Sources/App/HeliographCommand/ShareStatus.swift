private import Foundation
internal import HelioTerminal
internal import Heliograph

/// The last row of the terminal of `heliograph share`: who watches, who is in control, at what rate, and what is recorded
/// and broadcast. The row is cut where the terminal is narrow, so what matters most comes first.
enum ShareStatus {
    static func line(
        _ statistics: SourceStatistics?, _ recording: RecordingStatus?, _ broadcasts: [BroadcastStatus]
    )
        -> TerminalText
    {
        var parts: [TerminalText] = []
        // A recording is known by the first sign in the row.
        if let dot = recording.flatMap({ RecordingLine.dot($0) }) { parts.append(dot) }
        let viewers = statistics?.viewers ?? []
        let count = viewers.count + (statistics?.players?.addresses.count ?? 0)
        parts.append(
            count == 0 ? TerminalText("Nobody is watching", .dim) : TerminalText("\(count) watching", .bold))
        if let driver = viewers.first(where: { $0.drives }) {
            parts.append(TerminalText("\(driver.device ?? driver.address) in control"))
        }
        let rate = viewers.reduce(0) { $0 + $1.megabitsPerSecond }
        if count > 0 { parts.append(TerminalText(String(format: "%.1f Mbit/s", rate))) }
        if let live = BroadcastLine.status(broadcasts) { parts.append(TerminalText(live)) }
        return parts.dropFirst().reduce(parts[0]) { $0 + " · " + $1 }
    }
}
