package import HelioCore

/// The settings of an agent. The times are those of RFC 8445 section 14 and RFC 7675 unless said otherwise.
package struct ICESettings: Sendable {
    /// True if this end chooses the pair: the one that made the offer. Conflicts are resolved by the agents.
    package var isControlling: Bool
    /// True for an agent that answers checks and makes none (RFC 8445 section 2.5): for a host with a public address.
    /// The peer must be full.
    package var isLite = false
    /// The STUN servers. Each host candidate asks every server of its address family.
    package var stunServers: [TransportAddress] = []
    /// Ta: the interval between new checks.
    package var pacing = Duration.milliseconds(50)
    /// The shortest time after which a check is retransmitted.
    package var retransmission = Duration.milliseconds(500)
    /// Rc: the number of times that a check is sent.
    package var attempts = 7
    /// Rm: the last wait, in multiples of `retransmission`.
    package var lastWait = 16
    /// Ti: the time to wait for an answer by TCP, where checks are not retransmitted (RFC 8489 section 6.2.2).
    package var streamTimeout = Duration.milliseconds(39_500)
    /// The longest time that opening a connection may take (ours).
    package var connectTimeout = Duration.seconds(15)
    /// The interval at which a working pair is checked again until one is chosen (ours).
    package var recheck = Duration.seconds(2)
    /// The time that the controlling agent waits for a better pair once one works (ours: the RFC leaves it open).
    package var nominationDelay = Duration.milliseconds(500)
    /// The same wait if the working pair uses a relay or TCP: time for a few retransmissions of a lost UDP check. Data
    /// uses the working pair meanwhile.
    package var detourDelay = Duration.seconds(2)
    /// The time without an answer after which the state is `disconnected` (ours).
    package var disconnectedAfter = Duration.seconds(15)
    /// The time without an answer on the pair in use after which another pair that was proven meanwhile replaces it
    /// (ours): more than one interval of consent requests.
    package var shakyAfter = Duration.milliseconds(6500)
    /// The most working pairs kept as backups of the one in use (ours).
    package var maximumBackups = 3
    /// The interval at which each of these backups is checked.
    package var backupInterval = Duration.seconds(10)
    /// The time without a packet received on the pair in use after which it is probed, if there is a backup (ours).
    package var quietAfter = Duration.milliseconds(600)
    /// The number of probes sent at `probeSpacing`, before the rate falls to `lateProbeSpacing`.
    package var probes = 8
    /// The interval between the first `probes` probes.
    package var probeSpacing = Duration.milliseconds(100)
    /// The interval between later probes.
    package var lateProbeSpacing = Duration.seconds(1)
    /// The time without an answer to any probe after which the pair is abandoned; two round trips if they take longer.
    package var probeWait = Duration.milliseconds(800)
    /// The interval within which a controlling libwebrtc nominates its pair again: if it nominates another pair
    /// instead, it has switched to that one (ours).
    package var renominationAfter = Duration.seconds(3)
    /// The time for which an answer gives consent.
    package var consentLifetime = Duration.seconds(30)
    /// The shortest time before the agent fails, as the peer's checks may still arrive (RFC 8863 section 4). While
    /// untried pairs may remain, each check or signal of the peer's starts it anew.
    package var patience = Duration.milliseconds(39_500)
    /// Tr: the interval of keepalives: requests to a STUN server for a NAT's binding, or a lite agent's indications to
    /// the peer.
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
