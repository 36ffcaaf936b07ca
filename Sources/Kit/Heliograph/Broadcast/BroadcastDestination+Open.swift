internal import HelioBroadcast
private import HelioBroadcasting
internal import HelioCore
internal import HelioSharing
internal import NIOCore

extension BroadcastDestination {
    /// The sound encode for this destination; `nil` for none.
    func sound(_ format: SoundAttributes.Format?) -> SoundEncode? {
        guard let format else { return nil }
        // WebRTC has no AAC: WHIP always gets Opus.
        if case .whip = place { return SoundAttributes.Format.opus.streamed }
        return format.streamed
    }

    /// Opens the connection and begins to broadcast.
    ///
    /// - Parameters:
    ///   - encode: the settings of the picture's encode; RTMP announces frame rate and bitrate ahead.
    ///   - sound: the settings of the sound's encode; `nil` for none.
    ///   - loop: the event loop for RTMP and WHIP.
    ///   - onEvent: called with the events in order, on a thread of the sender.
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
