package import HelioCore
internal import HelioDesktop
internal import HelioLinuxClipboard
internal import HelioLinuxSound
internal import HelioWayland

/// The source's platform on Linux: capture, pointer and input of an X server, of a Wayland compositor of wlroots' kind,
/// or of a desktop by PipeWire, and the encoders of x264 and FFmpeg.
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
        return LinuxSource(way)
    }

    package func openScreen(
        display: String?, monitor: String?, framesPerSecond: Int
    ) throws(HelioError) -> LinuxScreen {
        switch try means(display) {
        case .x11:
            LinuxScreen(.x11(try X11ScreenCapture(display: display, monitor: monitor, pollRate: framesPerSecond)))
        case .compositor(let path): LinuxScreen(.wlr(try WlrScreenCapture(path: path, monitor: monitor)))
        case .desktop(let kind):
            LinuxScreen(
                .desktop(
                    try DesktopScreenCapture(
                        DesktopSessions.session(kind, ProcessVariable.value), monitor: monitor)))
        }
    }

    package func openTestScreen(size: PixelSize, framesPerSecond: Int) throws(HelioError) -> SyntheticScreen {
        try SyntheticScreen(size: size, framesPerSecond: framesPerSecond)
    }

    package func openCursor(on screen: LinuxScreen) throws(HelioError) -> LinuxCursor { try LinuxCursor(on: screen) }

    package func openInjector(display: String?) throws(HelioError) -> LinuxInjector {
        switch try means(display) {
        case .x11: LinuxInjector(try XTestInjector(display: display))
        case .compositor(let path):
            LinuxInjector(try WlrInjector(path: path)) { () throws(HelioError) in try WlrInjector(path: path) }
        case .desktop(let kind):
            LinuxInjector(try DesktopInjector(DesktopSessions.session(kind, ProcessVariable.value)))
        }
    }

    package func monitors(display: String?) throws(HelioError) -> [ScreenMonitor] {
        switch try means(display) {
        case .x11: try X11Monitor.list(display: display)
        case .compositor(let path): try Self.outputs(at: path)
        case .desktop(.mutter): try MutterSession.monitors(SessionBus.connect(ProcessVariable.value))
        // The monitors of a portal are known only when its person has answered.
        case .desktop(.portal): []
        }
    }

    /// The outputs of a compositor.
    ///
    /// - Parameter path: the compositor's socket.
    static func outputs(at path: String) throws(HelioError) -> [ScreenMonitor] {
        try WaylandOutputs(WaylandConnection(path: path)).monitors
    }

    package func warnings(display: String?) throws(HelioError) -> [String] {
        switch try means(display) {
        case .compositor, .desktop(.mutter): return []
        case .desktop(.portal):
            return PortalToken(ProcessVariable.value)?.load() == nil
                ? ["The desktop asks on its own screen whether this one may be shared: somebody must answer there"] : []
        case .x11:
            let x = try X11Connection(display: display)
            let evidence = try SessionProbe.look(at: x, isNamed: display != nil)
            return [CaptureWay.note(evidence)].compactMap(\.self)
        }
    }

    package func captures(display: String?) -> [CaptureDescription] {
        let evidence = SessionProbe.look(atDisplay: display, isWhole: true)
        return CaptureWay.allCases.map { $0.description(evidence) }
    }

    package func captureDetails(display: String?) -> [String] {
        SessionReport.lines(SessionProbe.look(atDisplay: display, isWhole: true), by: ProcessVariable.value)
    }

    /// The means by which a screen is captured.
    private enum Means {
        case x11
        /// By the compositor, with its socket's path.
        case compositor(String)
        /// By a session with the desktop.
        case desktop(DesktopSessions.Kind)
    }

    /// Returns the means to capture: those of the chosen way, else those that the session's evidence prefers.
    ///
    /// - Parameter display: the X display that the user names, which is then what is captured.
    private func means(_ display: String?) throws(HelioError) -> Means {
        if let way, way != .x11, let display {
            throw HelioError(
                .invalidArgument,
                "The X display \(display) is named, but the way to capture is the Wayland compositor's.")
        }
        var chosen = way
        if chosen == nil, display == nil {
            // Without a compositor or a desktop that offers it, the X server is not looked at.
            let before = SessionProbe.look(at: .none, isNamed: false)
            if before.preferred != .x11 { chosen = SessionProbe.look(atDisplay: nil).preferred }
        }
        return switch chosen {
        case nil, .x11: .x11
        case .wlr: .compositor(try WaylandSocket.path(ProcessVariable.value))
        case .gnome: .desktop(.mutter)
        case .kde, .portal: .desktop(.portal)
        }
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
        switch try means(display) {
        case .x11: return try LinuxClipboard.open(display: display, marked: marked, handler: handler)
        case .compositor(let path):
            return try LinuxClipboard.open(compositor: path, marked: marked, handler: handler)
        case .desktop(let kind):
            let session = try DesktopSessions.session(kind, ProcessVariable.value)
            return try LinuxClipboard.open(session, handler: handler)
        }
    }
}
