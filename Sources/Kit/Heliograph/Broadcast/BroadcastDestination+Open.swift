internal import HelioBroadcast
internal import HelioCore
internal import HelioRTMPLink
private import HelioRTMPSending
private import HelioSRT
internal import HelioViewing
private import HelioWHIP
private import HelioWHIPLink
internal import NIOCore

extension BroadcastDestination {
    /// The encode of sound that is sent there; `nil`: none.
    func sound(_ format: SoundAttributes.Format?) -> SoundEncode? {
        guard let format else { return nil }
        // WebRTC has no AAC.
        if case .whip = place { return SoundAttributes.Format.opus.streamed }
        return format.streamed
    }

    /// Begins to broadcast there.
    ///
    /// - Parameters:
    ///   - encode: how the picture is coded, which some servers are told ahead.
    ///   - sound: likewise, where there is any.
    ///   - loop: where RTMP's connection lives.
    ///   - onEvent: called on a thread of the sender's, in order.
    func open(
        _ tracks: BroadcastTracks, _ encode: BroadcastEncode, sound: SoundEncode?, on loop: any EventLoop,
        onEvent: @escaping @Sendable (BroadcastEvent) -> Void
    ) async throws(HelioError) -> any BroadcastSending {
        var settings = BroadcastSettings()
        settings.keyframeInterval = encode.keyframeInterval
        switch place {
        case .srt(let address):
            var options = SRTOptions()
            options.broadcast = settings
            return try SRTSender(to: address, tracks, options: options, onEvent: onEvent)
        case .whip(let address, let token):
            var options = WHIPOptions()
            let timeout = options.broadcast.connectTimeout
            options.broadcast = settings
            options.broadcast.connectTimeout = timeout
            return try await WHIPSender.start(
                to: address, token: token, tracks, options: options, on: loop, onEvent: onEvent)
        case .rtmp(let address):
            var options = RTMPOptions()
            options.broadcast = settings
            options.framesPerSecond = encode.framesPerSecond
            options.bitrate = encode.bitrate
            options.soundBitrate = sound.map { Bitrate(bitsPerSecond: $0.bitrate) }
            return try RTMPSender(to: address, tracks, options: options, on: loop, onEvent: onEvent)
        }
    }
}
