/// The format of a recording's file.
package enum RecordingContainer: Sendable, Hashable, CaseIterable {
    /// Fragmented MP4 (ISO/IEC 14496-12 section 8.8), with an index before each fragment of half a second and none at
    /// the end.
    case mp4
    /// Matroska (RFC 9559), in clusters of half a second.
    case matroska

    /// Makes the format for a file name's extension, ignoring case; `nil` for an unknown extension.
    package init?(ofFileNamed path: String) {
        let parts = path.split(separator: "/").last?.split(separator: ".", omittingEmptySubsequences: false) ?? []
        guard parts.count > 1, parts.first != "" || parts.count > 2 else { return nil }
        switch parts.last?.lowercased() {
        case "mp4", "m4v": self = .mp4
        case "mkv": self = .matroska
        default: return nil
        }
    }

    /// FFmpeg's name of its muxer.
    var muxer: String { self == .mp4 ? "mp4" : "matroska" }
}
