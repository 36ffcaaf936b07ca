package import HelioCore
package import HelioProtection

/// The terms of a viewer's control channel that both ends agreed on in signalling.
package struct ControlTerms: Sendable {
    /// The SSRC that names the viewer in each datagram, in both directions.
    package let viewer: SSRC
    /// The key that encrypts what the host sends.
    package let hostKey: SealedKey
    /// The key that encrypts what the viewer sends.
    package let viewerKey: SealedKey
    /// True where the viewer may drive, false where it may only watch.
    package let allowsControl: Bool
    /// The name that other viewers know it by; empty where it has none.
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

    /// The provider that encrypts the channel: AES-GCM, or the suite in its place.
    package func provider(over base: any CryptoProvider) -> any CryptoProvider {
        suite.provider(for: .command, over: base)
    }
}
