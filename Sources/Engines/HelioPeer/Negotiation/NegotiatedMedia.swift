package import HelioCore
package import HelioSDP

/// A section of audio or video that both ends accepted.
package struct NegotiatedMedia: Sendable, Hashable {
    /// The number of `m=` lines before this one.
    package var section: Int
    package var mid: String?
    package var kind: MediaKind
    package var transceiver: Transceiver.ID
    /// The agreed direction, as seen from this end.
    package var direction: MediaDirection
    /// The codecs in the order of the answer, whoever gave it; never empty. The first is the one to send with.
    package var codecs: [NegotiatedCodec]
    /// The codecs of this end's offer that the answer omits, although it accepts another of the same encoding. Packets
    /// of them may arrive all the same (RFC 3264 section 5.1): libwebrtc sends with the first codec of an offer that it
    /// can, whatever its answer says.
    package var unanswered: [NegotiatedCodec] = []
    package var extensions: [NegotiatedExtension]
    /// True where extensions of both forms may be mixed in one stream (RFC 8285 section 6).
    package var allowsMixedExtensions: Bool
    /// True where RTCP need not be compound (RFC 5506).
    package var hasReducedSizeRTCP: Bool
    /// True where the receiving peer may send its reference time and get an answer, to measure the round trip (RFC 3611
    /// section 4.4).
    package var hasReceiverRoundTrip: Bool
    package var remote: RemoteStreams
    /// The parity that both ends support; `nil` for none.
    package var parity: NegotiatedParity?

    /// The codecs of all packets that may arrive.
    var receivable: [NegotiatedCodec] { codecs + unanswered }

    package func headerExtension(_ uri: String) -> NegotiatedExtension? { extensions.first { $0.uri == uri } }
}
