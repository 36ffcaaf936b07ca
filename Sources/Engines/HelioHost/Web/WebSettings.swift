package import HelioCore
package import HelioPeer
internal import HelioProtection
package import HelioRemoteWire
import HelioSCTP
import HelioSDP
package import HelioTURN

/// A host's settings for browsers: certificate, limits, ICE servers, and how peer connections are made.
package struct WebSettings: Sendable {
    /// The SHA-256 of the certificate that the host uses in DTLS.
    package var fingerprint: [UInt8]
    /// The maximum number of browsers connected at a time, admitted or not.
    package var viewerLimit: Int
    /// The ICE servers that each viewer is sent once it is admitted.
    package var iceServers: [ICEServerEntry]
    /// The secret shared with the TURN servers, from which credentials are derived for each viewer and for the host's
    /// own end. With `nil`, viewers get the credentials in `iceServers`, and the host's end uses those of the
    /// configuration.
    package var turnSecret: TURNSharedSecret?
    /// The host's operating system, as sent to viewers; `nil`: it is not sent.
    package var system: HostSystem?
    /// True if the page is served by HTTPS, too, on the same port: a page loaded by HTTP then offers to switch.
    package var servesHTTPS = false
    private let configuration: PeerConnectionConfiguration
    private let make: @Sendable (PeerConnectionConfiguration, Instant) -> PeerEngine

    /// The codec parameters of the Opus that is sent: stereo, in packets as short as 5 ms (RFC 7587 section 6.1).
    private static let opus: RTPCodec = {
        var codec = RTPCodec.opus
        codec.parameters = [
            .init("minptime", "5"), .init("stereo", "1"), .init("sprop-stereo", "1"), .init("useinbandfec", "1"),
        ]
        return codec
    }()

    /// The maximum number of SCTP streams for a viewer's data channels: several times as many as the page opens.
    private static let streams: UInt16 = 64

    /// - Parameter make: makes a peer connection with this configuration, the certificate of `fingerprint`, and a
    ///   random generator of its own.
    package init(
        fingerprint: [UInt8], viewerLimit: Int = 64, iceServers: [ICEServerEntry] = [],
        configuration: PeerConnectionConfiguration = PeerConnectionConfiguration(),
        make: @escaping @Sendable (PeerConnectionConfiguration, Instant) -> PeerEngine
    ) {
        self.fingerprint = fingerprint
        self.viewerLimit = viewerLimit
        self.iceServers = iceServers
        self.make = make
        var configuration = configuration
        // Browsers send no media, so no receive buffers are needed.
        configuration.receivesMedia = false
        // Chromium supports FlexFEC by default; a browser that does not list it gets no parity.
        configuration.parity = .flexFEC
        configuration.dataChannels.association.streams = Self.streams
        configuration.isHostClock = true
        configuration.codecs = configuration.codecs.filter { $0.kind != .audio } + [Self.opus, .red]
        self.configuration = configuration
    }

    /// The ICE servers for one viewer. With `turnSecret`, the TURN servers have credentials made for this viewer; they
    /// are left out if the credentials can't be made.
    func iceServers(for viewer: ConnectionID, crypto: any CryptoProvider, now: Instant) -> [ICEServerEntry] {
        guard let turnSecret else { return iceServers }
        let made = try? turnSecret.credentials(for: "viewer-\(viewer.rawValue)", now: now, crypto: crypto)
        return iceServers.compactMap { entry in
            guard entry.credential != nil else { return entry }
            return made.map { ICEServerEntry(urls: entry.urls, username: $0.username, credential: $0.password) }
        }
    }

    /// - Parameters:
    ///   - viewer: the viewer to connect to.
    ///   - lent: further servers for this connection alone.
    ///   - startBitrate: the bitrate that the path carried before; `nil`: unknown, so the rate starts low.
    func makePeer(
        for viewer: ConnectionID, lent: WebServers, startBitrate: Bitrate?, crypto: any CryptoProvider, now: Instant
    ) -> BrowserPeer {
        var configuration = configuration
        if let turnSecret {
            let made = try? turnSecret.credentials(for: "host-\(viewer.rawValue)", now: now, crypto: crypto)
            configuration.turnServers = configuration.turnServers.compactMap { server in
                made.map { server.with(username: $0.username, password: SecretBytes(Array($0.password.utf8))) }
            }
        }
        lent.add(to: &configuration)
        configuration.startBitrate = startBitrate
        return BrowserPeer(make(configuration, now))
    }
}
