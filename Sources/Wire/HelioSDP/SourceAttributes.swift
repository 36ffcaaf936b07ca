package import HelioCore

/// `a=ssrc:314159 cname:user`: an attribute of one RTP stream in the section (RFC 5576 section 4.1).
package struct SourceAttribute: AttributeValue {
    package static let attributeName = "ssrc"
    package var ssrc: SSRC
    /// The attribute's name: `cname`, `msid` ...
    package var name: String
    package var value: String?

    package init(_ ssrc: SSRC, _ name: String, _ value: String? = nil) {
        self.ssrc = ssrc
        self.name = name
        self.value = value
    }

    package init?(attributeValue: String?) {
        guard let attributeValue else { return nil }
        let (number, rest) = Text.cut(attributeValue, at: 0x20)
        guard let rest, let ssrc = Text.decimal(number).flatMap({ UInt32(exactly: $0) }) else { return nil }
        let (name, value) = Text.cut(rest, at: UInt8(ascii: ":"))
        guard Text.isToken(name) else { return nil }
        self.init(SSRC(ssrc), String(name), value.map { String($0) })
    }
    package var attributeValue: String? { "\(ssrc.rawValue) \(name)" + (value.map { ":\($0)" } ?? "") }
}

/// `a=ssrc-group:FID 1 2`: a group of RTP streams in the section (RFC 5576 section 4.2).
package struct SourceGroup: AttributeValue {
    package static let attributeName = "ssrc-group"
    /// The semantics of a group of a stream and its retransmission stream (RFC 5888 section 8, RFC 4588).
    package static let flowIdentification = "FID"
    /// The semantics of a group of a stream and its FEC stream (RFC 5956 section 4.3).
    package static let forwardErrorCorrection = "FEC-FR"

    package var semantics: String
    package var sources: [SSRC]

    package init(_ semantics: String, _ sources: [SSRC]) {
        self.semantics = semantics
        self.sources = sources
    }

    package init?(attributeValue: String?) {
        guard let attributeValue else { return nil }
        let fields = Text.fields(attributeValue, by: 0x20).filter { !$0.isEmpty }
        guard fields.count >= 2, Text.isToken(fields[0]) else { return nil }
        self.init(String(fields[0]), [])
        for field in fields.dropFirst() {
            guard let ssrc = Text.decimal(field).flatMap({ UInt32(exactly: $0) }) else { return nil }
            sources.append(SSRC(ssrc))
        }
    }
    package var attributeValue: String? {
        ([semantics] + sources.map { String($0.rawValue) }).joined(separator: " ")
    }
}

/// `a=msid:stream track`: the browser's media stream to which a section belongs, and the track within that stream
/// (RFC 8830 section 2).
package struct MediaStreamID: AttributeValue {
    package static let attributeName = "msid"
    /// The stream's identifier; `-` for a track without a stream.
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
