package import HelioCore
package import HelioSDP

/// An audio or video section that both ends have accepted.
package struct NegotiatedMedia: Sendable, Hashable {
    /// The index of the section's `m=` line, from 0.
    package var section: Int
    package var mid: String?
    package var kind: MediaKind
    package var transceiver: Transceiver.ID
    /// The agreed direction, as seen from this end.
    package var direction: MediaDirection
    /// The codecs in the order of the SDP answer, whichever end made it; never empty. The first codec is the default
    /// for sending.
    package var codecs: [NegotiatedCodec]
    /// The codecs of this end's offer that the answer omits although it has a codec of the same encoding. Their packets
    /// may arrive nevertheless (RFC 3264 section 5.1): libwebrtc uses the first codec of the offer that it supports,
    /// regardless of its own answer.
    package var unanswered: [NegotiatedCodec] = []
    package var extensions: [NegotiatedExtension]
    /// True if one-byte and two-byte header extensions may be mixed in one stream (RFC 8285 section 6).
    package var allowsMixedExtensions: Bool
    /// True if RTCP packets need not be compound (RFC 5506).
    package var hasReducedSizeRTCP: Bool
    /// True if a receiving peer may measure the round trip with receiver reference times (RRTR, RFC 3611 section 4.4).
    package var hasReceiverRoundTrip: Bool
    package var remote: RemoteStreams
    /// The parity that both ends support; `nil` for none.
    package var parity: NegotiatedParity?

    /// The codecs whose packets may arrive.
    var receivable: [NegotiatedCodec] { codecs + unanswered }

    package func headerExtension(_ uri: String) -> NegotiatedExtension? { extensions.first { $0.uri == uri } }
}
