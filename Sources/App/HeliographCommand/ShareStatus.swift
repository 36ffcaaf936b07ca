private import Foundation
internal import HelioTerminal
internal import Heliograph

/// The last row that `heliograph share` shows in its terminal: the number of viewers, the driver, the bitrate, the
/// recording and the broadcasts. A narrow terminal cuts the row off, so the most important parts come first.
enum ShareStatus {
    static func line(
        _ statistics: SourceStatistics?, _ recording: RecordingStatus?, _ broadcasts: [BroadcastStatus]
    )
        -> TerminalText
    {
        var parts: [TerminalText] = []
        // The red dot of a recording has to be the first character in the row.
        if let dot = recording.flatMap({ RecordingLine.dot($0) }) { parts.append(dot) }
        let viewers = statistics?.viewers ?? []
        let count = viewers.count + (statistics?.players?.addresses.count ?? 0)
        parts.append(
            count == 0 ? TerminalText("Nobody is watching", .dim) : TerminalText("\(count) watching", .bold))
        if let driver = viewers.first(where: { $0.drives }) {
            parts.append(TerminalText("\(driver.name ?? driver.address) in control"))
        }
        let rate = viewers.reduce(0) { $0 + $1.megabitsPerSecond }
        if count > 0 { parts.append(TerminalText(String(format: "%.1f Mbit/s", rate))) }
        if let live = BroadcastLine.status(broadcasts) { parts.append(TerminalText(live)) }
        return parts.dropFirst().reduce(parts[0]) { $0 + " · " + $1 }
    }
}
