/// `a=msid:stream track`: which stream of the app, and which track in it, a section carries (RFC 8830 section 2).
package struct MediaStreamID: AttributeValue {
    package static let attributeName = "msid"
    /// `-` for a track without a stream.
    package var stream: String
    package var track: String?

    package init(stream: String, track: String? = nil) {
        self.stream = stream
        self.track = track
    }

    package init?(attributeValue: String?) {
        guard let attributeValue else { return nil }
        let fields = Text.fields(attributeValue, by: 0x20).filter { !$0.isEmpty }
        guard (1...2).contains(fields.count), fields.allSatisfy({ Text.isWord($0) }) else { return nil }
        self.init(stream: String(fields[0]), track: fields.count > 1 ? String(fields[1]) : nil)
    }
    package var attributeValue: String? { stream + (track.map { " \($0)" } ?? "") }
}
