package import HelioCore
package import HelioProtection

/// The terms of a viewer's control channel, as agreed on in signalling.
package struct ControlTerms: Sendable {
    /// The SSRC that begins each datagram, in both directions, and identifies the viewer.
    package let viewer: SSRC
    /// The key for datagrams from the host.
    package let hostKey: SealedKey
    /// The key for datagrams from the viewer.
    package let viewerKey: SealedKey
    /// True if the viewer may drive, false if it may only watch.
    package let allowsControl: Bool
    /// The viewer's name that other viewers are shown; empty if it has none.
    package let name: String
    /// The session's cipher suite, used in place of AES-GCM for the media in its scope; `nil` if there is none.
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

    /// The crypto provider for the channel: the suite if its scope includes control, otherwise `base`, which is
    /// AES-GCM.
    package func provider(over base: any CryptoProvider) -> any CryptoProvider {
        suite.provider(for: .command, over: base)
    }
}
