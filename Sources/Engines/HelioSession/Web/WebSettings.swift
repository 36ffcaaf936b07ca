package import HelioRemoteWire

/// What a host lets browsers do.
package struct WebSettings: Sendable {
    /// SHA-256 of the certificate that the host shows in DTLS.
    package var fingerprint: [UInt8]
    /// Browsers that watch at once.
    package var viewerLimit: Int
    /// Told to each viewer that is let in.
    package var iceServers: [ICEServerEntry]

    package init(fingerprint: [UInt8], viewerLimit: Int = 64, iceServers: [ICEServerEntry] = []) {
        self.fingerprint = fingerprint
        self.viewerLimit = viewerLimit
        self.iceServers = iceServers
    }
}
