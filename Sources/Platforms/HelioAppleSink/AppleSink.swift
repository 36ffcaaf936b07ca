package import HelioAppleMedia
private import HelioAppleSound
package import HelioCore

/// The sink's platform on Apple's systems: VideoToolbox decodes, and Metal shows the picture. It is only type-checked;
/// no test runs it.
package struct AppleSink: SinkPlatform {
    package typealias Decoder = SessionDecoder<AppleSessions>

    private let view: ApplePictureView?

    /// - Parameter view: the app's view that shows the picture; `nil` to open a window, which only macOS supports.
    package init(view: ApplePictureView? = nil) { self.view = view }

    package func makeDecoder(
        _ codec: VideoCodec, choice: CodecChoice, mayReorder: Bool, mostSamples: Int
    ) throws(HelioError) -> Decoder {
        try check(choice)
        return SessionDecoder(
            codec, maker: AppleSessions(allowsHardware: DecoderChoice.allowsHardware(choice)), mayReorder: mayReorder,
            mostSamples: mostSamples)
    }

    package var takesFullChroma: Bool { DecoderChoice.takesFullChroma }

    package func check(_ choice: CodecChoice) throws(HelioError) { try DecoderChoice.check(choice) }

    package func hardwareCodecs(of choice: CodecChoice) -> Set<VideoCodec> {
        DecoderChoice.hardwareCodecs(of: choice, among: AppleSessions.hardwareCodecs)
    }

    package func openWindow(title: String, options: WindowOptions) throws(HelioError) -> AppleWindow {
        try AppleWindow.open(title: title, options: options, in: view)
    }

    package var sound: (any SoundPlatform)? { DeviceSound.apple(feeds: SampleFeeds()) }
}
