package import HelioCore
package import HelioProtection

/// The terms of a viewer's control channel, as agreed on in signalling.
package struct ControlTerms: Sendable {
    /// The SSRC that begins each datagram of either direction, and identifies the viewer.
    package let viewer: SSRC
    /// The key for datagrams from the host.
    package let hostKey: SealedKey
    /// The key for datagrams from the viewer.
    package let viewerKey: SealedKey
    /// True if the viewer may drive, false if it may only watch.
    package let allowsControl: Bool
    /// The viewer's name that other viewers are shown; empty if it has none.
    package let name: String
    /// The cipher suite that the session uses in place of AES-GCM; `nil` for AES-GCM.
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

    /// The crypto provider for the channel: `base` with AES-GCM, or with the suite in its place.
    package func provider(over base: any CryptoProvider) -> any CryptoProvider {
        suite.provider(for: .command, over: base)
    }
}
