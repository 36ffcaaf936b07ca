private import Foundation
internal import Heliograph

/// The lines that the key `l` prints: each viewer, player, publication, recording and broadcast, with its permissions
/// and statistics.
enum AudienceList {
    static func lines(_ statistics: SourceStatistics) -> [String] {
        var lines = statistics.viewers.map { viewer in
            let who = ShareNews.who(viewer.address, viewer.name)
            var facts = [viewer.allowsControl ? "watches, may control" : "watches only"]
            switch viewer.link {
            case "direct": facts.append("from afar, straight")
            case "relayed": facts.append("from afar, by a TURN server")
            case "rendezvous": facts.append("from afar, by the rendezvous server")
            default: break
            }
            if viewer.isPaused { facts.append("paused") }
            facts.append(String(format: "%.1f Mbit/s", viewer.megabitsPerSecond))
            if let time = viewer.roundTrip { facts.append(String(format: "%.1f ms there and back", time)) }
            if let loss = viewer.loss, loss > 0 { facts.append(String(format: "%.1f %% lost", loss * 100)) }
            return "  \(who): \(facts.joined(separator: ", "))"
        }
        for address in statistics.players?.addresses ?? [] { lines.append("  \(address) (a player): watches only") }
        if let publication = statistics.publication, publication.isPublished {
            lines.append("  \(publication.url) (published): whoever watches there")
        }
        if let recording = statistics.recording { lines.append(RecordingLine.summary(recording)) }
        for broadcast in statistics.broadcasts { lines.append(BroadcastLine.summary(broadcast)) }
        let clipboard = statistics.clipboard
        if clipboard.sent + clipboard.received > 0 {
            lines.append("  clipboard: \(clipboard.sent) pasted elsewhere, \(clipboard.received) pasted here")
        }
        let picture = "\(statistics.width)x\(statistics.height) \(statistics.codec)"
        return lines.isEmpty ? ["Nobody watches."] : ["Watching \(picture):"] + lines
    }
}
