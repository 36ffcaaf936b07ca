package import HelioCore
internal import HelioLinuxClipboard
internal import HelioLinuxSound

/// The source's platform on Linux: X11 capture and pointer, XTEST input, and the encoders of x264 and FFmpeg.
package struct LinuxSource: SourcePlatform {
    package init() {}

    package func openScreen(
        display: String?, monitor: String?, framesPerSecond: Int
    ) throws(HelioError) -> X11ScreenCapture {
        try X11ScreenCapture(display: display, monitor: monitor, pollRate: framesPerSecond)
    }

    package func openTestScreen(size: PixelSize, framesPerSecond: Int) throws(HelioError) -> SyntheticScreen {
        try SyntheticScreen(size: size, framesPerSecond: framesPerSecond)
    }

    package func openCursor(on screen: X11ScreenCapture) throws(HelioError) -> X11CursorSource {
        try X11CursorSource(screen)
    }

    package func openInjector(display: String?) throws(HelioError) -> XTestInjector {
        try XTestInjector(display: display)
    }

    package func monitors(display: String?) throws(HelioError) -> [ScreenMonitor] {
        try X11Monitor.list(display: display)
    }

    package func warnings(display: String?) throws(HelioError) -> [String] {
        let x = try X11Connection(display: display)
        let evidence = try SessionProbe.look(at: x, isNamed: display != nil)
        return [CaptureWay.note(evidence)].compactMap(\.self)
    }

    package func captures(display: String?) -> [CaptureDescription] {
        let server =
            (try? SessionProbe.server(X11Connection(display: display)))
            ?? SessionEvidence.Server(missing: X11Connection.name(ofDisplay: display))
        let evidence = SessionProbe.look(at: server, isNamed: display != nil)
        return CaptureWay.allCases.map { $0.description(evidence) }
    }

    package var color: ColorDescription { .bt709By601 }

    package func makeEncoder(_ format: VideoFormat, choice: CodecChoice) throws(HelioError) -> LinuxEncoder {
        try EncoderFactory.make(format: format, choice: choice)
    }

    package func encoders() -> [EncoderDescription] { EncoderCatalog.list() }

    package func codec(ofEncoder name: String) throws(HelioError) -> VideoCodec {
        try EncoderCatalog.codec(ofEncoder: name)
    }

    package func codecs(preferring first: VideoCodec) -> [VideoCodec] { EncoderCatalog.codecs(preferring: first) }

    package func codesByHardware(_ codec: VideoCodec) -> Bool { EncoderCatalog.codesByHardware(codec) }

    package func terminalQRCode(_ text: String) -> String? { TerminalQRCode.render(text) }

    package var sound: (any SoundPlatform)? { LinuxSound() }

    package func openClipboard(
        display: String?, marked: Bool, handler: @escaping @Sendable (ClipboardEvent) -> Void
    ) throws(HelioError) -> (any ClipboardAccess)? {
        try LinuxClipboard.open(display: display, marked: marked, handler: handler)
    }
}
