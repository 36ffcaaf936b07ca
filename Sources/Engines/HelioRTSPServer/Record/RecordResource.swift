/// The resource of a publisher's RTSP URI, for example `rtsp://host:8554/any/name`. The publisher's SDP defines the
/// URIs of the streams, which are usually below that of the resource.
///
/// The host in the URI is ignored, as a publisher may use any name or address of the server, and some change it between
/// requests.
struct RecordResource: Sendable, Equatable {
    /// The path and the query, without trailing slashes.
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

    /// Returns true if this resource is equal to `other`, or below it.
    func isBelow(_ other: Self) -> Bool { path == other.path || other.path.isEmpty || path.hasPrefix(other.path + "/") }
}
