#if canImport(HelioLinuxSource)
package import HelioAppleMedia
package import HelioCore
package import HelioLinuxSource

/// A Linux source that shares a panel of known pictures: real conversion and encoders, without an X server.
package struct KnownLinuxSource: SourcePlatform {
    package let panel: FakePanel

    package init(_ panel: FakePanel) { self.panel = panel }

    package func openScreen(display: String?, monitor: String?, framesPerSecond: Int) -> KnownLinuxScreen {
        KnownLinuxScreen(panel)
    }
    package func openTestScreen(size: PixelSize, framesPerSecond: Int) throws(HelioError) -> SyntheticScreen {
        try SyntheticScreen(size: size, framesPerSecond: framesPerSecond)
    }
    package func openCursor(on screen: KnownLinuxScreen) -> NoCursor { NoCursor() }
    package func openInjector(display: String?) -> DeafInjector { DeafInjector() }
    package func monitors(display: String?) -> [ScreenMonitor] { KnownLinuxScreen(panel).layout.monitors }
    package var color: ColorDescription { LinuxSource().color }
    package func makeEncoder(_ format: VideoFormat, choice: CodecChoice) throws(HelioError) -> LinuxEncoder {
        try LinuxSource().makeEncoder(format, choice: choice)
    }
    package func encoders() -> [EncoderDescription] { LinuxSource().encoders() }
    package func codec(ofEncoder name: String) throws(HelioError) -> VideoCodec {
        try LinuxSource().codec(ofEncoder: name)
    }
    package func codecs(preferring first: VideoCodec) -> [VideoCodec] {
        [first] + VideoCodec.allCases.filter { $0 != first }
    }
    package func codesByHardware(_ codec: VideoCodec) -> Bool { false }
    package func terminalQRCode(_ text: String) -> String? { nil }
}
#endif
