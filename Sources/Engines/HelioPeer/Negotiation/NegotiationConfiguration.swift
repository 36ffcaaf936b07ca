/// The constant settings of a ``Negotiation``.
package struct NegotiationConfiguration: Sendable {
    /// The session ID in the `o=` line: random, below 2^63 (RFC 8829 section 5.2.1).
    package var sessionID: UInt64
    /// This end's CNAME in RTCP: random, so that it reveals nothing about the user (RFC 7022).
    package var cname: String
    /// The codecs in order of preference, which also applies to answers.
    package var codecs: [RTPCodec]
    package var headerExtensions: [HeaderExtensionCapability]
    /// The maximum size of a received data channel message in bytes; `nil` refuses data channels.
    package var maximumMessageSize: UInt64?
    /// True to be the DTLS server if an offer leaves the choice to this end. Being the client saves a round trip.
    package var prefersPassive = false
    /// False to exclude receiving from every negotiated direction, so that no media of the peer is accepted or
    /// buffered.
    package var receivesMedia = true
    /// The forward error correction for video, used if the peer supports it too.
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
