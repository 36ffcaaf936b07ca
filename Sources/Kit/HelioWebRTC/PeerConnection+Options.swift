public import HelioCore
private import HelioGround
private import HelioOpenSSL
internal import HelioPeer
private import HelioPeerPort
private import HelioProtection
private import HelioSCTP
private import HelioSDP
private import HelioTURN

extension PeerConnection {
    /// The options of a connection; the defaults are a browser's.
    public struct Options: Sendable {
        /// A profile of H.264, as in SDP's `profile-level-id`.
        public enum Profile: String, Sendable, Hashable, CaseIterable {
            /// The profile for 4:4:4, with a chroma sample for every pixel, which keeps coloured text sharp. Few
            /// decoders support it.
            case high444Predictive
            /// The profile that most hardware decoders support.
            case high
            /// The profile Main, which is High without the 8x8 transform.
            case main
            /// The profile that every browser supports.
            case constrainedBaseline
        }

        /// The STUN and TURN servers. None is needed if one side can reach the other directly.
        public var iceServers: [ICEServer] = []
        /// The secret shared with the TURN servers (coturn's `use-auth-secret`); empty if there is none. Each
        /// connection derives a user name and a password from the secret, valid for 12 hours, and uses them instead of
        /// those in `iceServers`.
        public var turnSecret = ""
        /// Connects through TURN servers only, which hides this machine's addresses from the peer.
        public var usesRelaysOnly = false
        /// Uses ICE lite: answers the peer's connectivity checks without sending any, for a host with a public address.
        /// The peer must then use full ICE.
        public var isLite = false
        /// The profiles that this end can send and receive, best first.
        public var profiles = Profile.allCases
        /// Allows sound in Opus, both ways. Without it, sound that a peer offers is rejected.
        public var hasSound = false
        /// Restores lost video packets by FlexFEC (`flexfec-03`), without waiting a round trip for a retransmission.
        /// FlexFEC is used if the peer supports it, while the path has a long round trip and loses packets; the parity
        /// packets take a part of the bitrate.
        public var restoresLostVideo = false
        /// The maximum of the estimated bitrate, in bits a second; also the estimate until the peer's first report.
        public var mostBitrate = 30_000_000
        /// The longest message that this end accepts, in bytes.
        public var longestMessage = 256 * 1024

        /// Makes options with a browser's defaults.
        public init() {}
    }
}

extension PeerConnection.Options {
    /// Resolves the ICE servers and builds the engine's configuration.
    ///
    /// - Returns: the configuration, and a human-readable sentence for each server that can't be used.
    func configuration() async throws(HelioError) -> (PeerConnectionConfiguration, unusable: [String]) {
        var result = PeerConnectionConfiguration()
        result.codecs = codecs
        result.isLite = isLite
        result.usesRelaysOnly = usesRelaysOnly
        result.parity = restoresLostVideo ? .flexFEC : .none
        result.mostBitrate = Bitrate(bitsPerSecond: max(100_000, mostBitrate))
        // The engine and the channel's outbox together hold at most 1 MiB for one channel.
        result.dataChannels.channelSendLimit = (1 << 20) - ChannelOutbox.limit
        result.dataChannels.association.maximumMessageSize = min(max(longestMessage, 1024), 64 << 20)
        result.clockOffset = WallClock.sinceNTPEpoch(at: MonotonicClock.now)
        let made = try madeCredentials()
        let servers = try ICEServerList(
            iceServers.map {
                .init(
                    url: $0.url, username: made?.username ?? $0.username, password: made?.password ?? $0.password)
            })
        let unusable = await servers.add(to: &result)
        guard !usesRelaysOnly || !result.turnServers.isEmpty else {
            throw HelioError(
                .invalidArgument,
                (["To go by relays alone, name a TURN server that can be used."] + unusable).joined(separator: " "))
        }
        return (result, unusable)
    }

    private func madeCredentials() throws(HelioError) -> TURNSharedSecret.Credentials? {
        if turnSecret.isEmpty { return nil }
        let now = MonotonicClock.now
        let secret = TURNSharedSecret(
            SecretBytes(Array(turnSecret.utf8)), clockOffset: WallClock.sinceUnixEpoch(at: now))
        do {
            return try secret.credentials(for: "peer", now: now, crypto: OpenSSLCrypto())
        } catch {
            throw HelioError(
                .systemFailed, "OpenSSL can't make a TURN server's password: is its version 3?", cause: error)
        }
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
