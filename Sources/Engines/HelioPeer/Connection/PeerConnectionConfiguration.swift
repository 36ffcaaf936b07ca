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
    /// How lost packets of video may be restored, where the peer knows it too.
    package var parity = ParityScheme.none
    /// True where this end answers ICE's checks and makes none: for a host that everybody can reach (RFC 8445 section
    /// 2.5).
    package var isLite = false
    /// The STUN servers; each host candidate asks each one of its family how it is seen from outside.
    package var stunServers: [TransportAddress] = []
    package var turnServers: [TURNServer] = []
    /// Counts of servers that were named and can't be used, by reason.
    package var setAside = DropCounter<PeerConnectionDrop>()
    /// True where the peer is told no address of this machine's, and all goes by TURN servers.
    package var usesRelaysOnly = false
    /// `false` for an end that only sends: sections by which the peer would send are answered as inactive.
    package var receivesMedia = true
    /// `false` refuses data channels.
    package var takesDataChannels = true
    package var dataChannels = DataChannelConfiguration()
    /// The SRTP profiles in the order of preference (RFC 8827 section 6.5 asks for the last one).
    package var srtpProfiles: [SRTPProfile] = [.aeadAes128Gcm, .aeadAes256Gcm, .aes128CmHmacSha1_80]
    /// The size of the largest datagram that is sent, in bytes without UDP and IP: what every path takes, in 576 ...
    /// 1472.
    package var largestDatagram = 1200
    /// True where this end is the DTLS server if an offer leaves it the choice. Being the client saves a round trip.
    package var prefersPassive = false
    /// The offset from an instant to the NTP time since 1900: for sender reports.
    package var clockOffset = Duration.zero
    /// True where video is captured by the clock of `now`, and not by an app's own: sender reports are exact then.
    package var isHostClock = false
    /// The rate that the path is assumed to carry until the peer tells, and the most that an estimate may reach.
    package var mostBitrate = Bitrate.megabits(30)
    /// The rate that the path is known to carry; `nil` where nothing is known: it is then begun with care.
    package var startBitrate: Bitrate?
    /// The longest that the DTLS handshake may take, without the time in which no path works.
    package var handshakeLimit: Duration = .seconds(30)
    /// Changes ICE's times and limits, after all else is set.
    package var adjustICE: (@Sendable (inout ICESettings) -> Void)?

    package init() {}
}
