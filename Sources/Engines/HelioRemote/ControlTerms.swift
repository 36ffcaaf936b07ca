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
    /// What other viewers know it by; empty where it has no name.
    package let name: String
    /// The suite of this session, where one is on.
    package let suite: AgreedSuite?

    package init(
        viewer: SSRC, hostKey: SealedKey, viewerKey: SealedKey, allowsControl: Bool, name: String = "",
        suite: AgreedSuite? = nil
    ) {
        self.viewer = viewer
        self.hostKey = hostKey
        self.viewerKey = viewerKey
        self.allowsControl = allowsControl
        self.name = name
        self.suite = suite
    }

    /// What the channel is protected by: AES-GCM, or the suite in its place.
    package func provider(over base: any CryptoProvider) -> any CryptoProvider {
        suite.provider(for: .command, over: base)
    }
}
