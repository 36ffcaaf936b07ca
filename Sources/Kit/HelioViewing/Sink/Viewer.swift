public import HelioCore

/// Shows a shared screen in a window and, where the host lets it, drives it.
///
/// Made and run on the program's main thread, which belongs to the window; frames are decoded on a thread of their
/// own, and the network has an event loop.
public final class Viewer {
    /// How the picture is fitted into the window.
    public enum Scale: String, Sendable, CaseIterable {
        /// As large as fits, with black bars.
        case fit
        /// One pixel for one pixel.
        case oneToOne = "1:1"
        /// The largest whole multiple that fits.
        case integer
    }

    /// How the viewer begins.
    public struct Options: Sendable {
        /// Begin in full screen.
        public var isFullScreen = false
        /// See `Scale`.
        public var scale = Scale.fit
        /// Watch only, even where the host lets us drive.
        public var isViewOnly = false
        /// What types text goes as text and not as keys.
        public var isTextMode = false
        /// The largest picture to be sent, pixels; the host scales a larger screen down, and what is larger all the same
        /// is not decoded. `nil` = any.
        public var largest: PixelSize?
        /// What decodes: `vaapi` by name. Hardware that fails is replaced by software, and a note says so.
        public var decoder = CodecChoice.automatic
        /// The host's monitor to be shown, by its name, where this viewer may choose; `nil` leaves it as it is.
        public var monitor: String?
        /// Begin with the statistics overlay.
        public var showsStatistics = false
        /// One of the specification's suites, for a host that chose it too; `nil` is AES-GCM.
        public var protection: ProtectionOptions?

        /// A window, fitted, with control where the host allows it.
        public init() {}
    }

    private let loop: any ViewerRunning

    /// Opens the window.
    ///
    /// - Parameters:
    ///   - link: what the sharing machine shows; or the address or name of a host that this machine is paired with; or
    ///     the `rtsp://` or `rtsps://` address of another program's stream, which can only be watched. User and password
    ///     of that are taken from the address, else from the environment: `HELIOGRAPH_RTSP_USER` and
    ///     `HELIOGRAPH_RTSP_PASSWORD`. Pictures of more than 35,651,584 pixels, which is more than any level of H.264 and
    ///     H.265 has, are not decoded.
    ///   - code: what a host that was started with a code has beside its address; pairs this machine with it.
    ///   - options: the window, and what this end can take.
    ///   - onStatistics: called once a second, on this thread.
    ///   - onNote: called on this thread with what a person should know; the session goes on.
    ///
    /// Throws `invalidArgument` for a damaged link, `unsupported` for a decoder by name that can't be had here, and
    /// `displayUnavailable` where no window can be opened.
    public convenience init(
        link: String, code: String? = nil, options: Options = Options(),
        onStatistics: ((ViewerStatistics) -> Void)? = nil, onNote: ((String) -> Void)? = nil
    ) throws(HelioError) {
        try self.init(try ViewTarget(parsing: link, code: code), options, onStatistics, onNote)
    }

    /// Opens the window for a host that was found on the network: with a code, or paired with this machine.
    ///
    /// Throws `invalidArgument` where it is neither, and `displayUnavailable` where no window can be opened.
    public convenience init(
        host: DiscoveredHost, code: String? = nil, options: Options = Options(),
        onStatistics: ((ViewerStatistics) -> Void)? = nil, onNote: ((String) -> Void)? = nil
    ) throws(HelioError) {
        try self.init(.link(try HostPairing.link(for: host, code: code)), options, onStatistics, onNote)
    }

    /// Opens the window, and waits for another program to publish its stream here. Where, a note tells; when the
    /// publisher has left, the next one may come.
    ///
    /// Throws `invalidArgument` where anybody on the network could publish, and `displayUnavailable` where no window can
    /// be opened.
    public convenience init(
        receiving publisher: PublisherOptions, options: Options = Options(),
        onStatistics: ((ViewerStatistics) -> Void)? = nil, onNote: ((String) -> Void)? = nil
    ) throws(HelioError) {
        try publisher.validate()
        try self.init(.publisher(publisher), options, onStatistics, onNote)
    }

    private init(
        _ target: ViewTarget, _ options: Options, _ onStatistics: ((ViewerStatistics) -> Void)?,
        _ onNote: ((String) -> Void)?
    ) throws(HelioError) {
        loop = try ViewerLoop(on: systemSink, target, options, onStatistics, onNote)
    }

    /// Runs until the window is closed or the session is over; throws why when it was not the person's wish.
    public func run() throws(HelioError) { try loop.run() }
}

extension Viewer.Scale {
    /// The same for a window.
    var mode: ScaleMode {
        switch self {
        case .fit: .fit
        case .oneToOne: .actual
        case .integer: .integer
        }
    }
}
