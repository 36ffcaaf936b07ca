package import HelioCore
internal import HelioLinuxClipboard
internal import HelioLinuxSound

/// The sink's platform on Linux: FFmpeg decodes, and an SDL window shows the picture.
package struct LinuxSink: SinkPlatform {
    package init() {}

    package func makeDecoder(
        _ codec: VideoCodec, choice: CodecChoice, mayReorder: Bool, mostSamples: Int
    ) throws(HelioError) -> FFmpegDecoder {
        try DecoderCatalog.make(codec, choice: choice, mayReorder: mayReorder, mostSamples: mostSamples)
    }

    package func check(_ choice: CodecChoice) throws(HelioError) { try DecoderCatalog.check(choice) }

    package func hardwareCodecs(of choice: CodecChoice) -> Set<VideoCodec> { DecoderCatalog.hardware(of: choice) }

    package var decodesParts: Bool { true }

    package func openWindow(title: String, options: WindowOptions) throws(HelioError) -> ViewerWindow {
        try ViewerWindow(title: title, options: options)
    }

    package var sound: (any SoundPlatform)? { LinuxSound() }

    package func openClipboard(
        marked: Bool, handler: @escaping @Sendable (ClipboardEvent) -> Void
    ) throws(HelioError) -> (any ClipboardAccess)? {
        let system = WindowSystem.choose()
        let compositor = system.isWayland(WindowSystem.variable) ? system.compositor : nil
        return try LinuxClipboard.open(session: compositor, marked: marked, handler: handler)
    }
}
