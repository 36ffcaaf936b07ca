/// Times and limits of a TURN client. The times are those of RFC 8656 and RFC 8489 unless said otherwise.
package struct TURNSettings: Sendable {
    /// RTO: the least time after which a request is sent again over UDP.
    package var retransmission = Duration.milliseconds(500)
    /// Rc: how often a request is sent over UDP.
    package var attempts = 7
    /// Rm: how many times `retransmission` the last one is waited for.
    package var lastWait = 16
    /// An error that nobody vouches for is believed when nothing better has come in this time (ours).
    package var doubt = Duration.seconds(2)

    /// What an allocation is asked for; the server decides.
    package var lifetime = Duration.seconds(600)
    /// An allocation is refreshed so long before it ends, or at half its time if that is earlier (ours: two minutes, so
    /// that a second try fits in).
    package var refreshMargin = Duration.seconds(120)
    package var permissionLifetime = Duration.seconds(300)
    package var channelLifetime = Duration.seconds(600)
    /// Permissions and channels are refreshed so long before they end.
    package var renewalMargin = Duration.seconds(60)
    /// A channel that nothing went through for so long is left to end (ours),
    package var channelIdle = Duration.seconds(300)
    /// and its number is not used for anybody else for so long afterwards.
    package var channelQuarantine = Duration.seconds(300)
    /// How long a peer that the server refused is not asked for again (ours),
    package var refusalPause = Duration.seconds(30)
    /// and a channel that it refused.
    package var channelRefusalPause = Duration.seconds(300)
    /// How long the server is given to confirm that the allocation has ended (ours).
    package var closing = Duration.seconds(5)

    /// Addresses of IP that may send to this end; of more, the one that was quiet for longest is forgotten.
    package var maximumPermissions = 64
    /// Addresses with ports that this end sends to and that are remembered for a channel.
    package var maximumPeers = 64
    package var maximumChannels = 16
    /// Requests for permissions and channels on their way at once.
    package var maximumRequests = 16
    /// Packets that wait for a permission, of all peers,
    package var maximumHeld = 64
    /// and of one.
    package var maximumHeldOfPeer = 8
    package var maximumRedirections = 3
    /// How often one request is made again with a new nonce or realm.
    package var maximumChallenges = 3
    /// Bytes of one packet: fits a datagram with what is put around it.
    package var maximumData = 65_000

    package init() {}
}
