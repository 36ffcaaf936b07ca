package import HelioCore
internal import HelioLinuxClipboard
internal import HelioLinuxSound
internal import HelioWayland

/// The source's platform on Linux: capture, pointer and input of an X server or of a Wayland compositor of wlroots'
/// kind, and the encoders of x264 and FFmpeg.
package struct LinuxSource: SourcePlatform {
    /// The way to capture that the user has chosen; `nil` for the one that the session prefers.
    private let way: CaptureWay?

    package init() { way = nil }

    private init(_ way: CaptureWay?) { self.way = way }

    package func capturing(by way: String?) throws(HelioError) -> LinuxSource {
        guard let name = way else { return LinuxSource(nil) }
        guard let way = CaptureWay(rawValue: name) else {
            let names = CaptureWay.allCases.map(\.rawValue).joined(separator: ", ")
            throw HelioError(.invalidArgument, "There is no way '\(name)' to capture; there are: \(names).")
        }
        guard way.isWritten else {
            throw HelioError(.unsupported, "Capture by '\(name)' is not written yet.")
        }
        return LinuxSource(way)
    }

    package func openScreen(
        display: String?, monitor: String?, framesPerSecond: Int
    ) throws(HelioError) -> LinuxScreen {
        if let path = try compositor(display) {
            return LinuxScreen(.wlr(try WlrScreenCapture(path: path, monitor: monitor)))
        }
        return LinuxScreen(.x11(try X11ScreenCapture(display: display, monitor: monitor, pollRate: framesPerSecond)))
    }

    package func openTestScreen(size: PixelSize, framesPerSecond: Int) throws(HelioError) -> SyntheticScreen {
        try SyntheticScreen(size: size, framesPerSecond: framesPerSecond)
    }

    package func openCursor(on screen: LinuxScreen) throws(HelioError) -> LinuxCursor { try LinuxCursor(on: screen) }

    package func openInjector(display: String?) throws(HelioError) -> LinuxInjector {
        if let path = try compositor(display) {
            return LinuxInjector(try WlrInjector(path: path)) { () throws(HelioError) in try WlrInjector(path: path) }
        }
        return LinuxInjector(try XTestInjector(display: display))
    }

    package func monitors(display: String?) throws(HelioError) -> [ScreenMonitor] {
        guard let path = try compositor(display) else { return try X11Monitor.list(display: display) }
        return try Self.outputs(at: path)
    }

    /// The outputs of a compositor.
    ///
    /// - Parameter path: the compositor's socket.
    static func outputs(at path: String) throws(HelioError) -> [ScreenMonitor] {
        try WaylandOutputs(WaylandConnection(path: path)).monitors
    }

    package func warnings(display: String?) throws(HelioError) -> [String] {
        if try compositor(display) != nil { return [] }
        let x = try X11Connection(display: display)
        let evidence = try SessionProbe.look(at: x, isNamed: display != nil)
        return [CaptureWay.note(evidence)].compactMap(\.self)
    }

    package func captures(display: String?) -> [CaptureDescription] {
        let evidence = SessionProbe.look(atDisplay: display)
        return CaptureWay.allCases.map { $0.description(evidence) }
    }

    /// Returns the path of the compositor's socket if the compositor captures the screen, `nil` if an X server does.
    ///
    /// - Parameter display: the X display that the user names, which is then what is captured.
    private func compositor(_ display: String?) throws(HelioError) -> String? {
        switch way {
        case .wlr:
            if let display {
                throw HelioError(
                    .invalidArgument,
                    "The X display \(display) is named, but the way to capture is the Wayland compositor's.")
            }
        case nil:
            // Without a compositor that offers it, the X server is not looked at.
            guard display == nil, SessionProbe.look(at: .none, isNamed: false).hasScreencopy,
                SessionProbe.look(atDisplay: nil).prefersCompositor
            else { return nil }
        default: return nil
        }
        return try WaylandSocket.path(ProcessVariable.value)
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
        if let path = try compositor(display) {
            return try LinuxClipboard.open(compositor: path, marked: marked, handler: handler)
        }
        return try LinuxClipboard.open(display: display, marked: marked, handler: handler)
    }
}
