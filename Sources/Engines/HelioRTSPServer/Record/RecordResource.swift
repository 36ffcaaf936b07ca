/// The resource that a publisher's RTSP URI names: `rtsp://host:8554/any/name` is the presentation, and its streams are
/// below that, or wherever its description says.
///
/// Only the part after the host counts: publishers name the host as they please, and some change it later.
struct RecordResource: Sendable, Equatable {
    /// The path and the query, without slashes at the end.
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

    /// Returns whether this resource is the other one, or lies below it.
    func isBelow(_ other: Self) -> Bool { path == other.path || other.path.isEmpty || path.hasPrefix(other.path + "/") }
}
