package import HelioCore

/// How an agent goes about it. The times are those of RFC 8445 section 14 and RFC 7675 unless said otherwise.
package struct ICESettings: Sendable {
    /// Who has the last word on the pair: the one that made the offer. A conflict settles itself.
    package var isControlling: Bool
    /// Answers checks, makes none (RFC 8445 section 2.5): for a host with a public address. The peer must be full.
    package var isLite = false
    /// Each host candidate asks each one of its family.
    package var stunServers: [TransportAddress] = []
    /// Ta: the distance of new checks.
    package var pacing = Duration.milliseconds(50)
    /// The least time after which a check is sent again.
    package var retransmission = Duration.milliseconds(500)
    /// Rc: how often a check is sent.
    package var attempts = 7
    /// Rm: how many times `retransmission` the last one is waited for.
    package var lastWait = 16
    /// Ti: how long an answer by TCP is waited for, where nothing is sent again (RFC 8489 section 6.2.2).
    package var streamTimeout = Duration.milliseconds(39_500)
    /// How long a connection may take to open (ours).
    package var connectTimeout = Duration.seconds(15)
    /// How often a pair that works is asked again until one is chosen (ours).
    package var recheck = Duration.seconds(2)
    /// How long better pairs are given once one works (ours: the RFC leaves it open),
    package var nominationDelay = Duration.milliseconds(500)
    /// and how long where the one that works goes by a relay or by TCP: a check by UDP that gets lost is sent again a
    /// few times meanwhile. Data goes by the one that works until then.
    package var detourDelay = Duration.seconds(2)
    /// Without an answer for so long, the path is said to be disconnected (ours),
    package var disconnectedAfter = Duration.seconds(15)
    /// or looks bad enough to go by another that was proven meanwhile (ours): more than one question's distance.
    package var shakyAfter = Duration.milliseconds(6500)
    /// Pairs that work beside the one in use, and are kept to take its place (ours);
    package var maximumBackups = 3
    /// each is asked so often.
    package var backupInterval = Duration.seconds(10)
    /// With such a pair at hand, the one in use is asked when nothing was heard by it for so long (ours),
    package var quietAfter = Duration.milliseconds(600)
    /// so many times at first,
    package var probes = 8
    /// in such a distance,
    package var probeSpacing = Duration.milliseconds(100)
    /// then in this one;
    package var lateProbeSpacing = Duration.seconds(1)
    /// and is left where none is answered for so long, or for two round trips where they take longer.
    package var probeWait = Duration.milliseconds(800)
    /// A peer that controls asks for its pair at least so often, as libwebrtc does: when it asks for another in its place,
    /// it has moved there (ours).
    package var renominationAfter = Duration.seconds(3)
    /// How long an answer is good for.
    package var consentLifetime = Duration.seconds(30)
    /// How long it takes at least until nothing is believed to work, as the peer may still be on its way here
    /// (RFC 8863 section 4); counted anew from whatever comes of it, while something may be left to be tried.
    package var patience = Duration.milliseconds(39_500)
    /// Tr: a translator's binding towards a STUN server is kept by a question so often, and a lite agent's path by an
    /// indication.
    package var keepalive = Duration.seconds(15)

    package var maximumLocalCandidates = 32
    package var maximumRemoteCandidates = 64
    package var maximumPairs = 100
    package var maximumHeldChecks = 32
    package var maximumNames = 16

    package init(isControlling: Bool) {
        self.isControlling = isControlling
    }
}
