/// The parameters of Opus: the preferences of the description's sender as a receiver, and the properties of its own
/// stream ([RFC 7587](https://www.rfc-editor.org/rfc/rfc7587) section 6.1). In SDP the codec is always `opus/48000/2`.
package struct OpusFormatParameters: Sendable, Hashable {
    /// `maxplaybackrate`: the highest sample rate that the receiver plays, 8000 to 48000.
    package var maximumPlaybackRate: Int
    /// `stereo`: the receiver prefers two channels to one. Decoders have to accept both.
    package var prefersStereo: Bool
    /// `sprop-stereo`: the sender is likely to send two channels.
    package var sendsStereo: Bool
    /// `useinbandfec`: the receiver uses in-band FEC if the sender provides it.
    package var usesInBandFEC: Bool
    /// `usedtx`: the receiver prefers discontinuous transmission, which omits silence.
    package var usesDTX: Bool
    /// `maxaveragebitrate`, in bits per second: 6000 to 510000. `nil` if missing.
    package var maximumBitrate: Int?
    /// `minptime`, the shortest packet that the receiver accepts, in milliseconds: browsers write 10. `nil` if missing.
    package var minimumPacketMilliseconds: Int?

    package init(
        maximumPlaybackRate: Int = 48000, prefersStereo: Bool = false, sendsStereo: Bool = false,
        usesInBandFEC: Bool = false, usesDTX: Bool = false, maximumBitrate: Int? = nil,
        minimumPacketMilliseconds: Int? = nil
    ) {
        self.maximumPlaybackRate = maximumPlaybackRate
        self.prefersStereo = prefersStereo
        self.sendsStereo = sendsStereo
        self.usesInBandFEC = usesInBandFEC
        self.usesDTX = usesDTX
        self.maximumBitrate = maximumBitrate
        self.minimumPacketMilliseconds = minimumPacketMilliseconds
    }

    /// Reads the parameters. A malformed or out-of-range parameter counts as missing, since decoding needs none of
    /// them.
    package init(_ parameters: FormatParameters?) {
        self.init()
        guard let parameters else { return }
        maximumPlaybackRate = parameters.number("maxplaybackrate", in: 8000...48000) ?? 48000
        prefersStereo = parameters["stereo"] == "1"
        sendsStereo = parameters["sprop-stereo"] == "1"
        usesInBandFEC = parameters["useinbandfec"] == "1"
        usesDTX = parameters["usedtx"] == "1"
        maximumBitrate = parameters.number("maxaveragebitrate", in: 6000...510_000)
        minimumPacketMilliseconds = parameters.number("minptime", in: 1...120)
    }

    /// The parameters that differ from their defaults; if empty, no `a=fmtp` is needed.
    package var parameters: [FormatParameters.Parameter] {
        var list: [FormatParameters.Parameter] = []
        if maximumPlaybackRate != 48000 { list.append(.init("maxplaybackrate", String(maximumPlaybackRate))) }
        if let minimumPacketMilliseconds { list.append(.init("minptime", String(minimumPacketMilliseconds))) }
        if let maximumBitrate { list.append(.init("maxaveragebitrate", String(maximumBitrate))) }
        if prefersStereo { list.append(.init("stereo", "1")) }
        if sendsStereo { list.append(.init("sprop-stereo", "1")) }
        if usesInBandFEC { list.append(.init("useinbandfec", "1")) }
        if usesDTX { list.append(.init("usedtx", "1")) }
        return list
    }
}
