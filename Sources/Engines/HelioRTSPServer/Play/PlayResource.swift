import HelioPlainRTP
import HelioRTP

/// The resource of a player's RTSP URI, for example `rtsp://host:8554/screen` for the stream and
/// `rtsp://host:8554/screen/video` for a track. The name `screen` and a trailing slash are optional; a query is
/// ignored.
enum PlayResource: Sendable, Equatable {
    case stream
    case track(PlainTrack)

    static let streamName = "screen"

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
        case 1:
            let named = PlainTrack.allCases.first { parts[0] == PlayerDescription.name(of: $0) }
            guard let named else { return nil }
            self = .track(named)
        default: return nil
        }
    }

    /// Returns the base URI for a track's relative `a=control` (RFC 2326 appendix C.1.1).
    static func base(of uri: String) -> String {
        let plain = String(uri.prefix { $0 != "?" && $0 != "#" })
        return plain.hasSuffix("/") ? plain : plain + "/"
    }

    /// Returns the URI of a track, derived from the URI of a request for the stream or any track.
    static func uri(of track: PlainTrack, for uri: String) -> String {
        var stream = base(of: uri)
        for other in PlainTrack.allCases {
            let end = "/\(PlayerDescription.name(of: other))/"
            if stream.hasSuffix(end) { stream.removeLast(end.utf8.count - 1) }
        }
        return stream + PlayerDescription.name(of: track)
    }
}
