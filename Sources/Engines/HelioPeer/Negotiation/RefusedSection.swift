/// A refused media section (`m=` line) of a session description, and the reason.
package struct RefusedSection: Sendable, Hashable {
    package enum Reason: String, Sendable {
        /// The section's media type is neither audio, video nor application.
        case unknownMedia
        /// The section's protocol is neither RTP over DTLS nor SCTP over DTLS.
        case unknownProtocol
        case noCommonCodec
        /// The section is not in the bundle, so it would need a second transport.
        case notBundled
        /// The section lacks `a=rtcp-mux`, so it would need a second port for RTCP.
        case notMultiplexed
        /// Data channels are disabled, or another section has them already.
        case dataNotWanted
        /// The session has too many transceivers.
        case tooMany
        /// The peer's description has port 0 for the section.
        case refusedByPeer
        /// This end has stopped the transceiver.
        case stopped
    }

    package var section: Int
    package var mid: String?
    package var reason: Reason
}
