package import HelioCore

/// A Picture Loss Indication: a receiver lost a picture it can't do without (RFC 4585 section 6.3.1, PT 206, FMT 1).
package struct PictureLossIndication: Sendable, Hashable {
    package var sender: SSRC
    package var media: SSRC

    package init(sender: SSRC, media: SSRC) {
        self.sender = sender
        self.media = media
    }
}
