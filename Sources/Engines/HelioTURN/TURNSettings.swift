/// The times and limits of a TURN client. The times are those of RFC 8656 and RFC 8489 unless said otherwise.
package struct TURNSettings: Sendable {
    /// RTO: the shortest time after which a request is retransmitted over UDP.
    package var retransmission = Duration.milliseconds(500)
    /// Rc: the number of times that a request is sent over UDP.
    package var attempts = 7
    /// Rm: the last wait, in multiples of `retransmission`.
    package var lastWait = 16
    /// The time after which an unauthenticated error is believed, if nothing better has come (ours).
    package var doubt = Duration.seconds(2)

    /// The lifetime that an allocation is requested for; the server decides.
    package var lifetime = Duration.seconds(600)
    /// The time before the end of an allocation at which it is refreshed, or at half its lifetime if that is later
    /// (ours: two minutes, so that a second try fits in).
    package var refreshMargin = Duration.seconds(120)
    package var permissionLifetime = Duration.seconds(300)
    package var channelLifetime = Duration.seconds(600)
    /// The time before their expiry at which permissions and channels are refreshed.
    package var renewalMargin = Duration.seconds(60)
    /// The idle timeout of a channel, which is then left to expire (ours).
    package var channelIdle = Duration.seconds(300)
    /// The time after a channel's expiry in which its number is not used for another peer.
    package var channelQuarantine = Duration.seconds(300)
    /// The shortest time after which the permission for a refused peer is requested again (ours).
    package var refusalPause = Duration.seconds(30)
    /// The shortest time after which a refused channel is requested again (ours).
    package var channelRefusalPause = Duration.seconds(300)
    /// The longest time that the server may take to confirm the release of the allocation (ours).
    package var closing = Duration.seconds(5)

    /// The most IP addresses that may send to this end; one more evicts the one that was quiet longest.
    package var maximumPermissions = 64
    /// The most peers, by address and port, that are remembered for a channel.
    package var maximumPeers = 64
    package var maximumChannels = 16
    /// The most pending requests for permissions and channels.
    package var maximumRequests = 16
    /// The most packets that wait for a permission, of all peers.
    package var maximumHeld = 64
    /// The most packets that wait for a permission, of one peer.
    package var maximumHeldOfPeer = 8
    package var maximumRedirections = 3
    /// The most times that one request is repeated with a new nonce or realm.
    package var maximumChallenges = 3
    /// The most bytes of one packet, which has to fit into a datagram with its headers.
    package var maximumData = 65_000

    package init() {}
}
