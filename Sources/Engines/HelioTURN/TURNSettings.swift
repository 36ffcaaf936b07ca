/// The times and limits of a TURN client. Times are those of RFC 8656 and RFC 8489, except for those marked as not in
/// an RFC.
package struct TURNSettings: Sendable {
    /// The time before the first retransmission of a request over UDP (RTO).
    package var retransmission = Duration.milliseconds(500)
    /// The number of times that a request is sent over UDP (Rc).
    package var attempts = 7
    /// The wait after the last transmission, in multiples of `retransmission` (Rm).
    package var lastWait = 16
    /// The time after which an unauthenticated error is accepted if no authentic answer has arrived (not in an RFC).
    package var doubt = Duration.seconds(2)

    /// The requested lifetime of an allocation; the server may grant another one.
    package var lifetime = Duration.seconds(600)
    /// The time before the expiry at which an allocation is refreshed, but not before half its lifetime. 2 minutes
    /// leave time for a second request (not in an RFC).
    package var refreshMargin = Duration.seconds(120)
    package var permissionLifetime = Duration.seconds(300)
    package var channelLifetime = Duration.seconds(600)
    /// The time before the expiry at which permissions and channels are renewed.
    package var renewalMargin = Duration.seconds(60)
    /// The idle time after which a channel is no longer renewed (not in an RFC).
    package var channelIdle = Duration.seconds(300)
    /// The time after a channel's expiry for which its number is not reused for another peer.
    package var channelQuarantine = Duration.seconds(300)
    /// The minimum time before a refused permission is requested again (not in an RFC).
    package var refusalPause = Duration.seconds(30)
    /// The minimum time before a refused channel is requested again (not in an RFC).
    package var channelRefusalPause = Duration.seconds(300)
    /// The time limit for the server's answer to the release of the allocation (not in an RFC).
    package var closing = Duration.seconds(5)

    /// The maximum number of permissions; a further one replaces the least recently used.
    package var maximumPermissions = 64
    /// The maximum number of peers (address and port) that are tracked as candidates for a channel.
    package var maximumPeers = 64
    package var maximumChannels = 16
    /// The maximum number of pending requests for permissions and channels.
    package var maximumRequests = 16
    /// The maximum number of packets that wait for permissions, of all peers.
    package var maximumHeld = 64
    /// The maximum number of packets that wait for one permission.
    package var maximumHeldOfPeer = 8
    package var maximumRedirections = 3
    /// The maximum number of times that a request is repeated with a new nonce or realm.
    package var maximumChallenges = 3
    /// The maximum size of a packet to a peer in bytes, so that it fits into a UDP datagram with its headers.
    package var maximumData = 65_000

    package init() {}
}
