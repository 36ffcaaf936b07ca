#if canImport(AppKit)
package import HelioAppleMedia
package import HelioCore

/// The sink's platform on macOS: VideoToolbox decodes, and a window of AppKit shows the picture by Metal. Type-checked, not
/// run.
package struct AppleSink: SinkPlatform {
    package typealias Decoder = SessionDecoder<AppleSessions>

    package init() {}

    package func makeDecoder(
        _ codec: VideoCodec, choice: CodecChoice, mayReorder: Bool, mostSamples: Int
    ) throws(HelioError) -> Decoder {
        try check(choice)
        return SessionDecoder(
            codec, maker: AppleSessions(allowsHardware: DecoderChoice.allowsHardware(choice)), mayReorder: mayReorder,
            mostSamples: mostSamples)
    }

    package func check(_ choice: CodecChoice) throws(HelioError) { try DecoderChoice.check(choice) }

    package func hardwareCodecs(of choice: CodecChoice) -> Set<VideoCodec> {
        DecoderChoice.hardwareCodecs(of: choice, among: AppleSessions.hardwareCodecs)
    }

    package func openWindow(title: String, options: WindowOptions) throws(HelioError) -> AppleWindow {
        try AppleWindow.open(title: title, options: options)
    }

    /// What Apple's systems do for sound: to be `AppleSound()`.
    package var sound: (any SoundPlatform)? { nil }
}
#endif
