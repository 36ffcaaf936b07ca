private import Foundation
internal import HelioTerminal
internal import Heliograph

/// Formats the status of a recording as text.
enum RecordingLine {
    /// Returns a red dot, the time and the file's name: `● 1:02:03 talk.mp4`; `nil` while nothing is recorded.
    static func dot(_ status: RecordingStatus) -> TerminalText? {
        guard status.state == .recording else { return nil }
        let name = status.path.split(separator: "/").last?.suffix(40) ?? ""
        return TerminalText("●", .red) + TerminalText(" \(time(status.seconds)) \(name)")
    }

    /// Returns a summary of a recording at its end: `Saved talk.mp4, 1:02:03, 12.3 MB.`
    static func ending(_ status: RecordingStatus) -> String? {
        guard status.state != .waiting else { return "Nothing was recorded to \(status.path): no picture came." }
        return
            "Saved \(status.path), \(time(status.seconds)), \(String(format: "%.1f MB", Double(status.bytes) / 1e6))."
    }

    /// Returns the recording's line in the list of viewers.
    static func summary(_ status: RecordingStatus) -> String {
        let megabytes = String(format: "%.1f MB", Double(status.bytes) / 1e6)
        return switch status.state {
        case .waiting: "  \(status.path) (a recording): waits for its first picture"
        case .recording: "  \(status.path) (a recording): \(time(status.seconds)), \(megabytes)"
        case .failed, .finished: "  \(status.path) (a recording): has ended after \(time(status.seconds)), \(megabytes)"
        }
    }

    /// Formats seconds as hours, minutes and seconds: `0:00:07`.
    static func time(_ seconds: Double) -> String {
        let whole = Int(max(0, seconds))
        return String(format: "%ld:%02ld:%02ld", whole / 3600, whole / 60 % 60, whole % 60)
    }
}
