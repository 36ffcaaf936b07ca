package import HelioCore
package import HelioICE
package import HelioProtection
package import HelioSCTP
package import HelioTURN

/// What a ``PeerConnection`` is made with. The defaults are those of a browser.
package struct PeerConnectionConfiguration: Sendable {
    /// What this end can send and receive, best first.
    package var codecs = RTPCodec.standard
    package var headerExtensions = HeaderExtensionCapability.standard
    /// Answers ICE's checks and makes none: for a host that everybody can reach (RFC 8445 section 2.5).
    package var isLite = false
    /// Each host candidate asks each one of its family how it is seen from outside.
    package var stunServers: [TransportAddress] = []
    package var turnServers: [TURNServer] = []
    /// Servers that were named and can't be used, by why.
    package var setAside = DropCounter<PeerConnectionDrop>()
    /// Tells the peer no address of this machine's, and goes by TURN servers alone.
    package var usesRelaysOnly = false
    /// `false` for an end that only sends: sections by which the peer would send are answered as inactive.
    package var receivesMedia = true
    /// `false` refuses data channels.
    package var takesDataChannels = true
    package var dataChannels = DataChannelConfiguration()
    /// In the order of preference (RFC 8827 section 6.5 asks for the last one).
    package var srtpProfiles: [SRTPProfile] = [.aeadAes128Gcm, .aeadAes256Gcm, .aes128CmHmacSha1_80]
    /// Bytes of the largest datagram that is sent, without UDP and IP: what every path takes, in 576 ... 1472.
    package var largestDatagram = 1200
    /// Whether this end waits, in DTLS, where an offer leaves it the choice. Beginning saves a round trip.
    package var prefersPassive = false
    /// Added to an instant, it gives the time since 1900 that NTP counts: for sender reports.
    package var clockOffset = Duration.zero
    /// What the path is thought to carry until the peer tells, and at most.
    package var mostBitrate = Bitrate.megabits(30)
    /// How long the handshake of DTLS may take, without the time in which no path works.
    package var handshakeLimit: Duration = .seconds(30)
    /// Changes ICE's times and limits, after all else is set.
    package var adjustICE: (@Sendable (inout ICESettings) -> Void)?

    package init() {}
}
