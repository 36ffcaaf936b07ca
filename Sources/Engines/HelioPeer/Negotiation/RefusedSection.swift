/// A section of a description that was refused.
package struct RefusedSection: Sendable, Hashable {
    package enum Reason: String, Sendable {
        /// Neither audio, video nor application.
        case unknownMedia
        /// Not RTP over DTLS, nor SCTP over DTLS.
        case unknownProtocol
        case noCommonCodec
        /// It would need a transport of its own.
        case notBundled
        /// It would need a port of its own for RTCP.
        case notMultiplexed
        /// Data channels are disabled, or another section has them already.
        case dataNotWanted
        /// There are too many transceivers.
        case tooMany
        /// The peer gave it port 0.
        case refusedByPeer
        /// This end stopped it.
        case stopped
    }

    package var section: Int
    package var mid: String?
    package var reason: Reason
}
