/// The settings that do not change while a ``Negotiation`` lasts.
package struct NegotiationConfiguration: Sendable {
    /// The session ID of the origin: random, below 2^63 (RFC 8829 section 5.2.1).
    package var sessionID: UInt64
    /// The CNAME of this end in RTCP; random, and nothing about the user (RFC 7022).
    package var cname: String
    /// The codecs in order of preference; an answer follows it.
    package var codecs: [RTPCodec]
    package var headerExtensions: [HeaderExtensionCapability]
    /// The longest message taken on a data channel, in bytes; `nil` refuses data channels.
    package var maximumMessageSize: UInt64?
    /// True to be the DTLS server if an offer leaves the choice to this end. Being the client saves a round trip.
    package var prefersPassive = false
    /// `false` excludes receiving from every agreed direction, so that no media of the peer is taken or buffered.
    package var receivesMedia = true
    /// The forward error correction for video, used where the peer supports it too.
    package var parity = ParityScheme.none

    package init(
        sessionID: UInt64, cname: String, codecs: [RTPCodec] = RTPCodec.standard,
        headerExtensions: [HeaderExtensionCapability] = HeaderExtensionCapability.standard,
        maximumMessageSize: UInt64? = 262_144
    ) {
        self.sessionID = sessionID
        self.cname = cname
        self.codecs = codecs
        self.headerExtensions = headerExtensions
        self.maximumMessageSize = maximumMessageSize
    }
}
