#if canImport(HelioLinuxSource)
package import HelioAppleMedia
package import HelioCore
import HelioGround

/// An Apple source: the real adapters over a panel of known pictures, x264 and x265.
package struct FakeAppleSource: SourcePlatform {
    package typealias Encoder = ColoredEncoder<HeldEncoder<SessionEncoder<CodecSessions>, FakePixels>>

    package let panel: FakePanel
    package let sessions = CodecSessions()
    package let pointer = NoPointer()
    private let waiter: any CaptureWaiting

    package init(
        _ panel: FakePanel, waiter: any CaptureWaiting = CaptureWaiter()
    ) {
        self.panel = panel
        self.waiter = waiter
    }

    /// The colour description of the pictures, unless the panel overrides it (`FakePanel.color`).
    package var color: ColorDescription { .bt709 }

    private var catalog: AppleEncoderCatalog {
        AppleEncoderCatalog(VideoCodec.allCases.map { ListedEncoder(codec: $0, isHardware: true) })
    }

    package func openScreen(
        display: String?, monitor: String?, framesPerSecond: Int
    ) throws(HelioError) -> StreamScreen<FakeStream> {
        try StreamScreen(
            stream: FakeStream(panel), monitor: monitor, framesPerSecond: framesPerSecond,
            waiter: waiter)
    }

    package func openTestScreen(
        size: PixelSize, framesPerSecond: Int
    ) throws(HelioError) -> NumberedScreen<FakePainter> {
        try NumberedScreen(
            size: size, framesPerSecond: framesPerSecond, painter: FakePainter(),
            waiter: CaptureWaiter())
    }

    package func openCursor(on screen: StreamScreen<FakeStream>) throws(HelioError) -> PolledCursor<NoPointer> {
        PolledCursor(pointer, monitor: { screen.layout.selected }, clock: { MonotonicClock.now })
    }

    package func openInjector(display: String?) throws(HelioError) -> DeafInjector { DeafInjector() }

    package func monitors(display: String?) throws(HelioError) -> [ScreenMonitor] {
        FakeStream(panel).displays().compactMap(\.monitor)
    }

    package func makeEncoder(_ format: VideoFormat, choice: CodecChoice) throws(HelioError) -> Encoder {
        let coder = try catalog.coder(choice, for: format.codec)
        return try ColoredEncoder(format, panel.color) { format throws(HelioError) in
            // Slow software encoding must not count as a failure.
            let encoder = try SessionEncoder(format, sessions: sessions, coder: coder, patience: .seconds(20)) {
                MonotonicClock.now
            }
            return HeldEncoder(encoder, open: { $0 })
        }
    }

    package func encoders() -> [EncoderDescription] { catalog.descriptions }
    package func codec(ofEncoder name: String) throws(HelioError) -> VideoCodec { try catalog.codec(ofEncoder: name) }
    package func codecs(preferring first: VideoCodec) -> [VideoCodec] { catalog.codecs(preferring: first) }
    package func codesByHardware(_ codec: VideoCodec) -> Bool { catalog.codesByHardware(codec) }
    package func terminalQRCode(_ text: String) -> String? { nil }
}
#endif
