package import HelioCore

/// A Picture Loss Indication, by which a receiver that can't decode on after a loss requests a keyframe (RFC 4585
/// section 6.3.1, PT 206, FMT 1).
package struct PictureLossIndication: Sendable, Hashable {
    package var sender: SSRC
    package var media: SSRC

    package init(sender: SSRC, media: SSRC) {
        self.sender = sender
        self.media = media
    }
}
