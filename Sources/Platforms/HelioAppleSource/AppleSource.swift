#if canImport(ScreenCaptureKit)
package import HelioAppleMedia
package import HelioCore

/// The source's platform on macOS: ScreenCaptureKit's screen, the system's pointer, and input by `CGEvent`. Type-checked,
/// not run.
package struct AppleSource<Encoders: AppleEncoders>: SourcePlatform {
    private let codecs: Encoders
    package let sound: (any SoundPlatform)?

    /// - Parameters:
    ///   - encoders: VideoToolbox's.
    ///   - sound: what it does for sound; `nil`: nothing.
    package init(encoders: Encoders, sound: (any SoundPlatform)? = nil) {
        codecs = encoders
        self.sound = sound
    }

    package func openScreen(
        display: String?, monitor: String?, framesPerSecond: Int
    ) throws(HelioError) -> StreamScreen<SystemStream> {
        var permission = PermissionFlow(.screenRecording)
        try permission.need(SystemPermissions(), now: .monotonicNow)
        return try StreamScreen(
            stream: SystemStream(), monitor: monitor, framesPerSecond: framesPerSecond, waiter: waiter)
    }

    package func openTestScreen(
        size: PixelSize, framesPerSecond: Int
    ) throws(HelioError) -> NumberedScreen<TestPicturePainter> {
        try NumberedScreen(
            size: size, framesPerSecond: framesPerSecond, painter: TestPicturePainter(), waiter: waiter)
    }

    package func openCursor(on screen: StreamScreen<SystemStream>) throws(HelioError) -> PolledCursor<SystemCursor> {
        PolledCursor(SystemCursor(), monitor: { screen.layout.selected }, clock: { .monotonicNow })
    }

    package func openInjector(display: String?) throws(HelioError) -> MacInjector<SystemEvents> {
        var permission = PermissionFlow(.accessibility)
        try permission.need(SystemPermissions(), now: .monotonicNow)
        return MacInjector(SystemEvents(), doubleClick: SystemEvents.doubleClick, clock: { .monotonicNow })
    }

    package func monitors(display: String?) throws(HelioError) -> [ScreenMonitor] {
        DisplayList.read().compactMap(\.monitor)
    }

    package func makeEncoder(_ format: VideoFormat, choice: CodecChoice) throws(HelioError) -> Encoders.Encoder {
        try codecs.makeEncoder(format, choice: choice)
    }

    package func encoders() -> [EncoderDescription] { codecs.encoders() }

    package func codec(ofEncoder name: String) throws(HelioError) -> VideoCodec { try codecs.codec(ofEncoder: name) }

    package func codecs(preferring first: VideoCodec) -> [VideoCodec] { codecs.codecs(preferring: first) }

    package func codesByHardware(_ codec: VideoCodec) -> Bool { codecs.codesByHardware(codec) }

    /// None: a menu shows its own picture of it.
    package func terminalQRCode(_ text: String) -> String? { nil }

    private var waiter: CaptureWaiter { CaptureWaiter { .monotonicNow } }
}
#endif
