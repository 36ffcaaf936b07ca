public import HelioCore
internal import HelioPlayout
public import HelioSharing

/// Shows a shared screen in a window, and drives it if the host allows control.
///
/// Create and run it on the program's main thread, which the window requires. Frames are decoded on a thread of their
/// own, and the network has an event loop.
public final class Viewer {
    /// The scaling of the picture to the window.
    public enum Scale: String, Sendable, CaseIterable {
        /// The largest size that fits, with black bars.
        case fit
        /// The picture's own size: one pixel of the picture for each pixel of the window.
        case oneToOne = "1:1"
        /// The largest whole multiple that fits.
        case integer
    }

    /// The mapping of this machine's keys to the host's.
    public enum Keys: String, Sendable, CaseIterable {
        /// A key sends the character that it produces on this machine, whatever the host's layout is. Keys that produce
        /// no character, and all keys with Ctrl, Alt or the system key, are sent by position.
        case character
        /// A key is sent by its position, and the host's layout decides what it produces.
        case place
    }

    /// The pictures that are delayed to be in sync with the host's sound.
    public enum Sync: String, Sendable, CaseIterable {
        /// Moving video is delayed; a pointer, a typed letter and other small changes are shown at once.
        case auto
        /// No picture is delayed: each is shown as soon as it is decoded.
        case immediate
        /// All pictures are delayed.
        case inStep = "in-step"
    }

    /// The options that a viewer starts with.
    public struct Options: Sendable {
        /// True to start in full screen.
        public var isFullScreen = false
        /// The scaling of the picture; see `Scale`.
        public var scale = Scale.fit
        /// True to watch only, even if the host allows control.
        public var isViewOnly = false
        /// The mapping of keys; `nil` uses the user's last choice for this host, or `character` if there was none.
        public var keys: Keys?
        /// The maximum size of a received picture, in pixels. The host scales a larger screen down; pictures that are
        /// larger nevertheless are not decoded. `nil` for any size.
        public var largest: PixelSize?
        /// The decoder, for example `.named("vaapi")` or `.named("nvdec")`. A hardware decoder that fails is replaced
        /// by a software decoder, and a note reports that.
        public var decoder = CodecChoice.automatic
        /// The name of the host's monitor to show, if this viewer may choose; `nil` leaves the choice unchanged.
        public var monitor: String?
        /// True to play the host's sound; if false, the host sends no sound until the user turns it on.
        public var sound = true
        /// The volume of the host's sound, 0 to 1.
        public var volume = 1.0
        /// The name of the playback device; `nil` for the default device.
        public var soundDevice: String?
        /// The pictures that are delayed to be in sync with the sound.
        public var sync = Sync.auto
        /// The microphone to send to the host, if it plays viewers' voices; `nil` for none.
        public var microphone: MicrophoneOptions?
        /// The options of sharing this machine's clipboard with the host while this viewer drives; `nil` shares none.
        public var clipboard: ClipboardOptions? = ClipboardOptions()
        /// The options of exchanging files with the host; `nil` for none.
        public var files: FileOptions? = FileOptions()
        /// The file to record picture and sound to, in the received encoding; `nil` for no recording. With a recording,
        /// the host sends sound as Opus. Notes report the recording's state.
        public var recording: RecordingOptions?
        /// The CSV file that gets a line for each shown picture, with its properties and the time that it spent in each
        /// stage; `nil` for none.
        public var trace: String?
        /// True to keep the window open when the host ends the session. The window then shows the reason until the user
        /// closes it.
        public var staysOpen = false
        /// Returns the text about an error that a window with `staysOpen` shows: by default the error's message. A
        /// program can add advice about its own options.
        public var explanation: @Sendable (HelioError) -> String = { $0.message }
        /// True to show a hint about the window's keyboard shortcuts over the first picture.
        public var showsHint = false
        /// True to start with the statistics overlay.
        public var showsStatistics = false
        /// The interval at which statistics are reported and shown, at least 50 ms.
        public var statisticsInterval = Duration.seconds(1)
        /// The protection suite, one of the specification's, for a host with the same suite; `nil` uses AES-GCM.
        public var protection: ProtectionOptions?
        /// The transports allowed for picture and input, if the host is a Heliograph host.
        public var transport = NetworkTransport.automatic
        /// True to wake a paired host that answers neither at its address nor at its rendezvous server, and to try it
        /// again for two minutes.
        public var wakesHost = true

        /// Makes options for a window with the picture fitted, and control if the host allows it.
        public init() {}
    }

    private let loop: any ViewerTurning

    /// Opens the window for a host or for a stream; `run` connects.
    ///
    /// - Parameters:
    ///   - link: the link that the sharing machine shows; the address or name of a host that this machine is paired
    ///     with; or the `rtsp://` or `rtsps://` address of another program's stream, which can only be watched. Its
    ///     user and password are taken from the address, otherwise from the environment: `HELIOGRAPH_RTSP_USER` and
    ///     `HELIOGRAPH_RTSP_PASSWORD`. Pictures of more than 35,651,584 pixels, which is more than any level of H.264
    ///     and H.265 allows, are not decoded.
    ///   - code: the code that the host was started with, if `link` is its address; it pairs this machine with the
    ///     host.
    ///   - options: the properties of the window, and the limits of the media that this viewer accepts.
    ///   - onStatistics: called with the first picture, and at each ``Options/statisticsInterval``, on the thread of
    ///     `run`.
    ///   - onNote: called with each note for the user, on the thread of `run`; the session continues.
    ///   - onEvent: called with each event on the thread of `run`, for a program that shows the session's state itself.
    ///     The end is not an event: `run` returns, or throws the error.
    ///
    /// Throws `invalidArgument` for a malformed link, or an unknown sound device or microphone, `unsupported` for a
    /// decoder or a microphone that this system can't provide, and `displayUnavailable` if no window can be opened.
    public convenience init(
        link: String, code: String? = nil, options: Options = Options(),
        onStatistics: ((ViewerStatistics) -> Void)? = nil, onNote: ((String) -> Void)? = nil,
        onEvent: ((ViewerSession.Event) -> Void)? = nil
    ) throws(HelioError) {
        try self.init(try ViewTarget(parsing: link, code: code), options, onStatistics, onNote, onEvent)
    }

    /// Opens the window for a discovered host, authenticated by a code or by this machine's pairing with the host.
    ///
    /// Throws `invalidArgument` if there is neither a code nor a pairing, and `displayUnavailable` if no window can be
    /// opened.
    public convenience init(
        host: DiscoveredHost, code: String? = nil, options: Options = Options(),
        onStatistics: ((ViewerStatistics) -> Void)? = nil, onNote: ((String) -> Void)? = nil,
        onEvent: ((ViewerSession.Event) -> Void)? = nil
    ) throws(HelioError) {
        try self.init(.link(try HostPairing.link(for: host, code: code)), options, onStatistics, onNote, onEvent)
    }

    /// Opens the window, and waits for another program to publish its stream here. A note gives the URL. After the
    /// publisher has left, another program may publish.
    ///
    /// Throws `invalidArgument` if other machines could publish without a password, and `displayUnavailable` if no
    /// window can be opened.
    public convenience init(
        receiving publisher: PublisherOptions, options: Options = Options(),
        onStatistics: ((ViewerStatistics) -> Void)? = nil, onNote: ((String) -> Void)? = nil
    ) throws(HelioError) {
        try publisher.validate()
        try self.init(.publisher(publisher), options, onStatistics, onNote, nil)
    }

    private init(
        _ target: ViewTarget, _ options: Options, _ onStatistics: ((ViewerStatistics) -> Void)?,
        _ onNote: ((String) -> Void)?, _ onEvent: ((ViewerSession.Event) -> Void)?
    ) throws(HelioError) {
        loop = try ViewerLoop(on: systemSink, target, options, onStatistics, onNote, onEvent: onEvent)
    }

    /// The exchange of files with the host; `nil` if there is none.
    public var files: SharedFiles? { loop.files?.shared }

    /// Runs until the window is closed or the session is over. Throws the error that ended the session, unless the user
    /// ended it. With `Options.staysOpen`, the end of sharing by the host is not an error.
    public func run() throws(HelioError) { try loop.run() }

    /// A closure that makes `run` return as if the user had closed the window: the host is notified, and a recording is
    /// completed. It can be called on any thread, before or during `run`.
    public var closer: @Sendable () -> Void { loop.closer }
}

extension Viewer.Sync {
    /// The sync policy for the pictures.
    var policy: SyncPolicy {
        switch self {
        case .auto: .auto
        case .immediate: .immediate
        case .inStep: .inStep
        }
    }
}

extension Viewer.Scale {
    /// The window's scale mode.
    var mode: ScaleMode {
        switch self {
        case .fit: .fit
        case .oneToOne: .actual
        case .integer: .integer
        }
    }
}
