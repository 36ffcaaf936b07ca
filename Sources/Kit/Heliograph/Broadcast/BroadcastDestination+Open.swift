internal import HelioBroadcast
internal import HelioCore
private import HelioSRT

extension BroadcastDestination {
    /// Begins to broadcast there. `onEvent` is called on a thread of the sender's, in order.
    func open(
        _ tracks: BroadcastTracks, keyframeInterval: Duration, onEvent: @escaping @Sendable (BroadcastEvent) -> Void
    ) throws(HelioError) -> any BroadcastSending {
        var settings = BroadcastSettings()
        settings.keyframeInterval = keyframeInterval
        switch place {
        case .srt(let address):
            var options = SRTOptions()
            options.broadcast = settings
            return try SRTSender(to: address, tracks, options: options, onEvent: onEvent)
        case .rtmp:
            throw HelioError(.unsupported, "RTMP")
        }
    }
}
