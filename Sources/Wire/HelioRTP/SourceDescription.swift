package import HelioCore

/// The lasting name of a participant (RFC 3550 section 6.5.1, PT 202); other items are passed over.
package struct SourceDescription: Sendable, Hashable {
    package var ssrc: SSRC
    /// At most 255 bytes of UTF-8; empty where none was told.
    package var cname: String

    package init(ssrc: SSRC, cname: String) {
        self.ssrc = ssrc
        self.cname = cname
    }
}
