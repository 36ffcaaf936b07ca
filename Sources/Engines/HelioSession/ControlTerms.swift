package import HelioCore
package import HelioProtection

/// What both ends of a viewer's control channel agreed on in signalling.
package struct ControlTerms: Sendable {
    /// Names the viewer in each datagram, in both directions.
    package let viewer: SSRC
    /// Seals what the host sends.
    package let hostKey: SealedKey
    /// Seals what the viewer sends.
    package let viewerKey: SealedKey
    /// Whether the viewer may drive, or only watch.
    package let allowsControl: Bool

    package init(viewer: SSRC, hostKey: SealedKey, viewerKey: SealedKey, allowsControl: Bool) {
        self.viewer = viewer
        self.hostKey = hostKey
        self.viewerKey = viewerKey
        self.allowsControl = allowsControl
    }
}
