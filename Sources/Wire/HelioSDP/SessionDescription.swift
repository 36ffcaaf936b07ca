/// A session description (SDP, RFC 8866).
///
/// ```
/// v=0                                        version, always 0
/// o=- 7 1 IN IP4 192.0.2.1                   origin
/// s=Heliograph                               name
/// c=IN IP4 192.0.2.1                         connection
/// t=0 0                                      not limited in time
/// a=control:*                                attributes of the session
/// m=video 0 RTP/SAVPF 96                     a media section, and its own lines:
/// a=rtpmap:96 H264/90000
/// ```
///
/// Descriptions are written with `t=0 0`. In parsed descriptions, any `t` line is accepted, and the lines `u e p r z k`
/// are dropped: Heliograph does not need them, and RFC 8866 section 5.12 forbids `k`.
package struct SessionDescription: Hashable, Sendable {
    package static let maximumSize = 65_536
    package static let maximumLines = 4096
    package static let maximumLineLength = 4096
    package static let maximumMedia = 32
    /// The maximum number of attributes in the session, and in each media section: a browser lists about 160 for video,
    /// 7 for each codec.
    package static let maximumAttributes = 512

    package var origin: Origin
    /// The session's name, written as `-` if empty.
    package var name: String
    package var information: String?
    package var connection: ConnectionData?
    package var bandwidths: [Bandwidth] = []
    package var attributes: AttributeList
    package var media: [MediaSection]

    package init(
        origin: Origin, name: String = "-", connection: ConnectionData? = nil, attributes: AttributeList = .init(),
        media: [MediaSection] = []
    ) {
        self.origin = origin
        self.name = name
        self.connection = connection
        self.attributes = attributes
        self.media = media
    }

    /// Serialises the description. Lines end in CR LF. CR, LF and NUL in values are omitted, so that no value can add a
    /// line.
    package func serialised() -> [UInt8] {
        var bytes: [UInt8] = []
        write { type, value in
            bytes.append(contentsOf: type.utf8)
            bytes.append(UInt8(ascii: "="))
            bytes.append(contentsOf: value.utf8.lazy.filter { ![0x00, 0x0A, 0x0D].contains($0) })
            bytes.append(contentsOf: [0x0D, 0x0A])
        } attribute: {
            $0.text
        }
        return bytes
    }

    private func write(line: (String, String) -> Void, attribute: (Attribute) -> String) {
        line("v", "0")
        line("o", origin.value)
        line("s", name.isEmpty ? "-" : name)
        if let information { line("i", information) }
        if let connection { line("c", connection.value) }
        for bandwidth in bandwidths { line("b", bandwidth.text) }
        line("t", "0 0")
        for item in attributes.all { line("a", attribute(item)) }
        for section in media {
            line("m", section.line)
            if let information = section.information { line("i", information) }
            if let connection = section.connection { line("c", connection.value) }
            for bandwidth in section.bandwidths { line("b", bandwidth.text) }
            for item in section.attributes.all { line("a", attribute(item)) }
        }
    }
}

extension SessionDescription: CustomStringConvertible {
    /// The description as text, without keys.
    package var description: String {
        var text: [String] = []
        write {
            text.append("\($0)=\($1)")
        } attribute: {
            $0.description
        }
        return text.joined(separator: "\n")
    }
}
