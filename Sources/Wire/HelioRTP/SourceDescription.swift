package import HelioCore

/// The lasting name of a participant (RFC 3550 section 6.5.1, PT 202), and the media section that its stream belongs to
/// (RFC 9143 section 15.2); other items are passed over.
package struct SourceDescription: Sendable, Hashable {
    package var ssrc: SSRC
    /// The canonical name, at most 255 bytes of UTF-8; empty if none was told.
    package var cname: String
    /// The media section's `mid`, at most 255 bytes of UTF-8.
    package var mid: String?

    package init(ssrc: SSRC, cname: String, mid: String? = nil) {
        self.ssrc = ssrc
        self.cname = cname
        self.mid = mid
    }

    /// The numbers of items; 0 ends them.
    enum Item {
        static let end: UInt8 = 0
        static let cname: UInt8 = 1
        static let mid: UInt8 = 15
    }
}
