/// The first word of an `m=` line.
package struct MediaKind: Hashable, Sendable, RawRepresentable {
    package var rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }

    package static let video = MediaKind(rawValue: "video")
    package static let audio = MediaKind(rawValue: "audio")
    package static let application = MediaKind(rawValue: "application")
}
