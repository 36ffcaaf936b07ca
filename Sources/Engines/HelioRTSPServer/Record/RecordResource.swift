/// The resource that an RTSP URI of a publisher names: `rtsp://host:8554/any/name` the presentation, and one of its
/// streams below that, or wherever its description says.
///
/// Only the part behind the host counts: publishers name the host as they please, and some change it under way.
struct RecordResource: Sendable, Equatable {
    /// Path and query, without a slash at the end.
    let path: String

    init?(uri: String) {
        guard uri.utf8.count <= 1024 else { return nil }
        let parts = uri.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count >= 3, parts[0].lowercased() == "rtsp:", parts[1].isEmpty, !parts[2].isEmpty else {
            return nil
        }
        var path = parts.count > 3 ? parts[3] : ""
        while path.hasSuffix("/") { path.removeLast() }
        self.path = String(path)
    }

    /// Returns whether it is the other one, or lies below it.
    func isBelow(_ other: Self) -> Bool { path == other.path || other.path.isEmpty || path.hasPrefix(other.path + "/") }
}
