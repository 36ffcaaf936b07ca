import HelioMedia

/// The resource that an RTSP URI of a player names: `rtsp://host:8554/screen` the stream,
/// `rtsp://host:8554/screen/video` its one track. The path may be left out, and a slash at the end; a query is passed
/// over.
enum PlayResource: Sendable, Equatable {
    case stream
    case track

    static let streamName = "screen"
    static let trackName = PlayerDescription.trackName

    init?(uri: String) {
        guard uri.utf8.count <= 1024 else { return nil }
        let path = uri.prefix { $0 != "?" && $0 != "#" }
        var parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count >= 3, parts[0].lowercased() == "rtsp:", parts[1].isEmpty, !parts[2].isEmpty else {
            return nil
        }
        parts.removeFirst(3)
        if parts.last?.isEmpty == true { parts.removeLast() }
        if parts.first.map({ $0 == Self.streamName }) == true { parts.removeFirst() }
        switch parts.count {
        case 0: self = .stream
        case 1 where parts[0] == Self.trackName: self = .track
        default: return nil
        }
    }

    /// The URI that the track's relative `a=control` is resolved against (RFC 2326 appendix C.1.1).
    static func base(of uri: String) -> String {
        let plain = String(uri.prefix { $0 != "?" && $0 != "#" })
        return plain.hasSuffix("/") ? plain : plain + "/"
    }

    /// The track's URI, whether a request names the track or the stream.
    static func track(of uri: String) -> String {
        let stream = base(of: uri)
        return stream.hasSuffix("/\(trackName)/") ? String(stream.dropLast()) : stream + trackName
    }
}
