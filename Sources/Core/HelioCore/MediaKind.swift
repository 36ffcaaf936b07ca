/// The kind of a medium; its name is the first word of SDP's `m=` line (RFC 8866 section 5.14).
package struct MediaKind: Hashable, Sendable, RawRepresentable {
    package var rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }

    package static let video = MediaKind(rawValue: "video")
    package static let audio = MediaKind(rawValue: "audio")
    package static let application = MediaKind(rawValue: "application")
}
