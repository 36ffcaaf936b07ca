internal import HelioCore
private import HelioLoop
internal import HelioPeer
private import HelioPeerPort
private import HelioProtection
private import HelioSCTP
private import HelioSDP
private import HelioTURN

extension PeerConnection {
    /// What a connection is made with; the defaults are a browser's.
    public struct Options: Sendable {
        /// Profiles of H.264, named as SDP's `profile-level-id` knows them.
        public enum Profile: String, Sendable, Hashable, CaseIterable {
            /// A colour sample for every pixel: coloured text stays sharp. Few decoders take it.
            case high444Predictive
            /// What most decoders do in hardware.
            case high
            /// High, without its larger transform.
            case main
            /// What every browser takes.
            case constrainedBaseline
        }

        /// Servers that help to find a way; none are needed where one side can be reached from the other.
        public var iceServers: [ICEServer] = []
        /// Tells the peer no address of this machine's, and goes by TURN servers alone.
        public var usesRelaysOnly = false
        /// Waits to be found instead of looking for the peer: for a host that everybody can reach. The peer must not be
        /// of the same kind.
        public var isLite = false
        /// What this end can send and receive, best first.
        public var profiles = Profile.allCases
        /// Sound in Opus may go and come. What a peer offers of it is refused otherwise.
        public var hasSound = false
        /// What the path is thought to carry until the peer tells, and at most, in bits a second.
        public var mostBitrate = 30_000_000
        /// The longest message that is taken, in bytes.
        public var longestMessage = 256 * 1024

        /// A browser's.
        public init() {}
    }
}

extension PeerConnection.Options {
    /// - Returns: what a connection is made with, and which servers can't be used, in words for a person.
    func configuration() async throws(HelioError) -> (PeerConnectionConfiguration, unusable: [String]) {
        var result = PeerConnectionConfiguration()
        result.codecs = codecs
        result.isLite = isLite
        result.usesRelaysOnly = usesRelaysOnly
        result.mostBitrate = Bitrate(bitsPerSecond: max(100_000, mostBitrate))
        // With what a channel keeps for the event loop, a mebibyte.
        result.dataChannels.channelSendLimit = (1 << 20) - ChannelOutbox.limit
        result.dataChannels.association.maximumMessageSize = min(max(longestMessage, 1024), 64 << 20)
        result.clockOffset = WallClock.sinceNTPEpoch(at: MonotonicClock.now)
        let servers = try ICEServerList(
            iceServers.map { .init(url: $0.url, username: $0.username, password: $0.password) })
        let unusable = await servers.add(to: &result)
        guard !usesRelaysOnly || !result.turnServers.isEmpty else {
            throw HelioError(
                .invalidArgument,
                (["To go by relays alone, name a TURN server that can be used."] + unusable).joined(separator: " "))
        }
        return (result, unusable)
    }

    private var codecs: [RTPCodec] {
        guard let level = H264Level(idc: 52) else { return RTPCodec.standard }
        return profiles.map { (profile) -> RTPCodec in
            switch profile {
            case .high444Predictive: .h264(.high444Predictive, level: level)
            case .high: .h264(.high, level: level)
            case .main: .h264(.main, level: level)
            case .constrainedBaseline: .h264(.constrainedBaseline, level: level)
            }
        } + (hasSound ? [.opus] : [])
    }
}
