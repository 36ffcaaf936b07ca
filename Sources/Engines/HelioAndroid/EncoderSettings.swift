package import HelioPhoneWire

/// The settings of a phone's encoder, by the names of `android.media.MediaFormat` and `MediaCodec`. Source: AOSP,
/// platform/frameworks/base, media/java/android/media/MediaFormat.java and MediaCodec.java.
package enum EncoderSettings {
    /// The entries of `MediaFormat` for a new encoder.
    ///
    /// - Parameters:
    ///   - sdk: the phone's API level; settings that came later are left out.
    ///   - isPlain: true for the settings alone that every encoder needs.
    package static func start(bitrate: Int, framesPerSecond: Int, sdk: UInt16, isPlain: Bool) -> [PhoneSetting] {
        var settings = [
            PhoneSetting("bitrate", .int(Int32(clamping: bitrate))),
            PhoneSetting("frame-rate", .int(Int32(clamping: framesPerSecond))),
            // Keyframes come on request. A request never reaches some encoders while the screen is still, so the
            // interval is in seconds, and not endless.
            PhoneSetting("i-frame-interval", .int(isPlain ? 10 : 3600)),
            // COLOR_FormatSurface.
            PhoneSetting("color-format", .int(0x7F00_0789)),
        ]
        if isPlain { return settings }
        settings += [
            // A still screen gives one more picture after 100 ms, in which the encoder refines the last one.
            PhoneSetting("repeat-previous-frame-after", .long(100_000)),
            PhoneSetting("max-fps-to-encoder", .float(Float(framesPerSecond))),
            // Real time.
            PhoneSetting("priority", .int(0)),
        ]
        if sdk >= 21 { settings.append(PhoneSetting("bitrate-mode", .int(2))) }  // BITRATE_MODE_CBR
        if sdk >= 24 {
            // COLOR_STANDARD_BT709, COLOR_RANGE_LIMITED, COLOR_TRANSFER_SDR_VIDEO.
            settings += [
                PhoneSetting("color-standard", .int(1)), PhoneSetting("color-range", .int(2)),
                PhoneSetting("color-transfer", .int(3)),
            ]
        }
        if sdk >= 26 { settings.append(PhoneSetting("latency", .int(1))) }
        if sdk >= 29 { settings.append(PhoneSetting("max-bframes", .int(0))) }
        return settings
    }

    /// `PARAMETER_KEY_REQUEST_SYNC_FRAME`.
    package static let keyframe = PhoneSetting("request-sync", .int(0))

    /// `PARAMETER_KEY_VIDEO_BITRATE`.
    package static func bitrate(_ bitsPerSecond: Int) -> PhoneSetting {
        PhoneSetting("video-bitrate", .int(Int32(clamping: bitsPerSecond)))
    }
}
