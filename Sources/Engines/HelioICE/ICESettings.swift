package import HelioCore

/// The settings of an agent. Times are those of RFC 8445 section 14 and RFC 7675, except for those marked as not in an
/// RFC.
package struct ICESettings: Sendable {
    /// True if this end starts in the controlling role, as the offerer does. The agents resolve role conflicts.
    package var isControlling: Bool
    /// True for a lite agent, which answers checks and makes none (RFC 8445 section 2.5). It suits a host with a public
    /// address; the peer must be a full agent.
    package var isLite = false
    /// The STUN servers. A request goes from each host candidate to every server of its address family.
    package var stunServers: [TransportAddress] = []
    /// The interval between new checks (Ta).
    package var pacing = Duration.milliseconds(50)
    /// The minimum time before a check is retransmitted for the first time (RTO).
    package var retransmission = Duration.milliseconds(500)
    /// The number of times that a check is sent (Rc).
    package var attempts = 7
    /// The wait after the last transmission, in multiples of the first timeout (Rm).
    package var lastWait = 16
    /// The timeout of a check over TCP, which is sent only once (Ti, RFC 8489 section 6.2.2).
    package var streamTimeout = Duration.milliseconds(39_500)
    /// The time limit for opening a TCP connection (not in an RFC).
    package var connectTimeout = Duration.seconds(15)
    /// The interval at which working pairs are checked again until one is selected (not in an RFC).
    package var recheck = Duration.seconds(2)
    /// The time for which the controlling agent waits for a better pair once one works (not in an RFC).
    package var nominationDelay = Duration.milliseconds(500)
    /// The wait for a better pair if the working one uses a relay or TCP (not in an RFC): long enough for a few
    /// retransmissions of a UDP check. Data uses the working pair meanwhile.
    package var detourDelay = Duration.seconds(2)
    /// The time without an answer after which the state becomes `disconnected` (not in an RFC).
    package var disconnectedAfter = Duration.seconds(15)
    /// The time without an answer on the selected pair after which a pair that has answered since then replaces it (not
    /// in an RFC). Longer than the interval of consent requests.
    package var shakyAfter = Duration.milliseconds(6500)
    /// The maximum number of working pairs kept as backups of the selected pair (not in an RFC).
    package var maximumBackups = 3
    /// The interval at which each backup pair is checked (not in an RFC).
    package var backupInterval = Duration.seconds(10)
    /// The time without a received packet after which the selected pair is probed, if it has a backup (not in an RFC).
    package var quietAfter = Duration.milliseconds(600)
    /// The number of probes sent at intervals of `probeSpacing` (not in an RFC); later probes are `lateProbeSpacing`
    /// apart.
    package var probes = 8
    /// The interval between the first `probes` probes (not in an RFC).
    package var probeSpacing = Duration.milliseconds(100)
    /// The interval between later probes (not in an RFC).
    package var lateProbeSpacing = Duration.seconds(1)
    /// The time from the first unanswered probe after which the pair is silent (not in an RFC); at least two round
    /// trips.
    package var probeWait = Duration.milliseconds(800)
    /// The time within which a controlling libwebrtc repeats the nomination of its pair (not in an RFC): if a
    /// nomination of another pair arrives later than that, the peer has switched pairs.
    package var renominationAfter = Duration.seconds(3)
    /// The lifetime of the consent that an answer gives.
    package var consentLifetime = Duration.seconds(30)
    /// The minimum time before the state becomes `failed`, as checks of the peer may still arrive (RFC 8863 section 4).
    /// It restarts with each check, answer or signalling message of the peer, unless all pairs have failed and no
    /// candidate can follow.
    package var patience = Duration.milliseconds(39_500)
    /// The interval of keepalives (Tr): of requests to a STUN server that keep a NAT binding alive, and of a lite
    /// agent's indications to the peer.
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
