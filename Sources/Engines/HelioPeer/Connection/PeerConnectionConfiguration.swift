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
    /// The forward error correction for video, used where the peer supports it too.
    package var parity = ParityScheme.none
    /// True for ICE lite: this end answers connectivity checks and makes none, as a host that everybody can reach may
    /// (RFC 8445 section 2.5).
    package var isLite = false
    /// The STUN servers. Each host candidate asks every server of its address family for its server-reflexive address.
    package var stunServers: [TransportAddress] = []
    package var turnServers: [TURNServer] = []
    /// Counts of configured servers that can't be used, by reason.
    package var setAside = DropCounter<PeerConnectionDrop>()
    /// True to use relayed candidates only: the peer learns no address of this machine, and all traffic goes through
    /// TURN servers.
    package var usesRelaysOnly = false
    /// `false` for an end that only sends: sections in which the peer would only send are answered as inactive.
    package var receivesMedia = true
    /// `false` refuses data channels.
    package var takesDataChannels = true
    package var dataChannels = DataChannelConfiguration()
    /// The SRTP profiles in order of preference (RFC 8827 section 6.5 requires the last one).
    package var srtpProfiles: [SRTPProfile] = [.aeadAes128Gcm, .aeadAes256Gcm, .aes128CmHmacSha1_80]
    /// The size of the largest datagram sent, in bytes without UDP and IP headers: 576 ... 1472. The default passes
    /// every path.
    package var largestDatagram = 1200
    /// True to be the DTLS server if an offer leaves the choice to this end. Being the client saves a round trip.
    package var prefersPassive = false
    /// The offset to be added to an instant to get NTP time, since 1900: for sender reports.
    package var clockOffset = Duration.zero
    /// True if video timestamps are on the clock of `now` and not on an app's own, so that sender reports are exact.
    package var isHostClock = false
    /// The bitrate assumed for the path until the peer's first feedback, and the upper bound of every estimate.
    package var mostBitrate = Bitrate.megabits(30)
    /// The bitrate that the path is known in advance to carry; with `nil`, sending starts cautiously.
    package var startBitrate: Bitrate?
    /// The longest that the DTLS handshake may take, not counting the time in which no path works.
    package var handshakeLimit: Duration = .seconds(30)
    /// Adjusts ICE's times and limits, after all other settings are applied.
    package var adjustICE: (@Sendable (inout ICESettings) -> Void)?

    package init() {}
}
