package import HelioCore
package import HelioICE
package import HelioProtection
package import HelioSCTP
package import HelioTURN

/// The configuration of a ``PeerConnection``. The defaults are those of a browser.
package struct PeerConnectionConfiguration: Sendable {
    /// The codecs that this end can send and receive, best first.
    package var codecs = RTPCodec.standard
    package var headerExtensions = HeaderExtensionCapability.standard
    /// The forward error correction for video, used if the peer supports it too.
    package var parity = ParityScheme.none
    /// True for ICE lite: this end answers connectivity checks and sends none, which suits a host with a public address
    /// (RFC 8445 section 2.5).
    package var isLite = false
    /// The STUN servers. Each host candidate sends a request for its server-reflexive address to every server of its
    /// address family.
    package var stunServers: [TransportAddress] = []
    package var turnServers: [TURNServer] = []
    /// The number of configured servers that can't be used, by reason; the initial value of `PeerEngine.drops`.
    package var setAside = DropCounter<PeerConnectionDrop>()
    /// True to use relayed candidates only: the peer learns no address of this host, and all traffic goes through TURN
    /// servers.
    package var usesRelaysOnly = false
    /// False for an end that receives no media: sections in which the peer only sends are then answered as inactive.
    package var receivesMedia = true
    /// False to refuse data channels.
    package var takesDataChannels = true
    package var dataChannels = DataChannelConfiguration()
    /// True to pass datagrams whose first byte is 192 ... 255, which RFC 7983 leaves unassigned, as they are beside
    /// DTLS. The app has to authenticate them.
    package var carriesPlainDatagrams = false
    /// The maximum size of a plain datagram in bytes: what fits Ethernet's MTU behind IPv4 and UDP headers.
    package static let largestPlainDatagram = 1472
    /// The SRTP profiles in order of preference. RFC 8827 section 6.5 requires support of the last profile of the
    /// default.
    package var srtpProfiles: [SRTPProfile] = [.aeadAes128Gcm, .aeadAes256Gcm, .aes128CmHmacSha1_80]
    /// The maximum size of a sent datagram in bytes, without UDP and IP headers: 576 ... 1472. The default fits the MTU
    /// of practically every path.
    package var largestDatagram = 1200
    /// True to be the DTLS server if an offer leaves the choice to this end. Being the client saves a round trip.
    package var prefersPassive = false
    /// The offset from an `Instant` to NTP time (since 1900), for sender reports.
    package var clockOffset = Duration.zero
    /// True if the timestamps of video use the clock of `now`, so that sender reports are exact; false if they use an
    /// app's own clock.
    package var isHostClock = false
    /// The upper bound of the bandwidth estimate, and the estimate until the peer's first feedback.
    package var mostBitrate = Bitrate.megabits(30)
    /// The known bandwidth of the path, used as the first estimate; with `nil`, sending starts at a low bitrate.
    package var startBitrate: Bitrate?
    /// The time limit for the DTLS handshake, not counting the time without a working path.
    package var handshakeLimit: Duration = .seconds(30)
    /// A closure that changes the ICE times and limits, called after all other settings have been applied.
    package var adjustICE: (@Sendable (inout ICESettings) -> Void)?

    package init() {}
}
