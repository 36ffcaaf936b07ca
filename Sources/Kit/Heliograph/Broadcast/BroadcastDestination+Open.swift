internal import HelioBroadcast
private import HelioBroadcasting
internal import HelioCore
internal import HelioSharing
internal import NIOCore

extension BroadcastDestination {
    /// Returns the encoding of the sound for this destination; `nil` if `format` is `nil`.
    func sound(_ format: SoundAttributes.Format?) -> SoundEncode? {
        guard let format else { return nil }
        // WebRTC has no AAC: WHIP always gets Opus.
        if case .whip = place { return SoundAttributes.Format.opus.streamed }
        return format.streamed
    }

    /// Opens the connection and begins to broadcast.
    ///
    /// - Parameters:
    ///   - tracks: the codecs of picture and sound.
    ///   - encode: the settings of the picture's encoding; RTMP announces its frame rate and bitrate before the first
    ///     picture.
    ///   - sound: the settings of the sound's encoding; `nil` for no sound.
    ///   - loop: the event loop for RTMP and WHIP.
    ///   - onEvent: called with the events in order, on one of the sender's threads.
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
