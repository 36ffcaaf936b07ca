package import HelioCore

/// An SDES chunk: a participant's canonical name (RFC 3550 section 6.5.1, PT 202) and the media section of its stream
/// (RFC 9143 section 15.2). Other items are ignored.
package struct SourceDescription: Sendable, Hashable {
    package var ssrc: SSRC
    /// The canonical name, at most 255 bytes of UTF-8; empty if missing.
    package var cname: String
    /// The media section's `mid`, at most 255 bytes of UTF-8.
    package var mid: String?

    package init(ssrc: SSRC, cname: String, mid: String? = nil) {
        self.ssrc = ssrc
        self.cname = cname
        self.mid = mid
    }

    /// The types of items; 0 ends the list.
    enum Item {
        static let end: UInt8 = 0
        static let cname: UInt8 = 1
        static let mid: UInt8 = 15
    }
}
