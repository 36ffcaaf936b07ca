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
        /// One pixel of the picture for each pixel of the window.
        case oneToOne = "1:1"
        /// The largest whole multiple that fits.
        case integer
    }

    /// The mapping of this machine's keys to the host's.
    public enum Keys: String, Sendable, CaseIterable {
        /// A key sends the character that it produces here, whatever the host's layout is. Keys that produce none, and
        /// all keys with Ctrl, Alt or the system key, are sent by position.
        case character
        /// A key is sent by its position, and the host's layout decides what it produces.
        case place
    }

    /// The pictures that are delayed to be in sync with the host's sound.
    public enum Sync: String, Sendable, CaseIterable {
        /// Moving video is delayed; a pointer, a typed letter and other small changes are shown at once.
        case auto
        /// None: each picture is shown as soon as it is decoded.
        case immediate
        /// All pictures.
        case inStep = "in-step"
    }

    /// The options that a viewer starts with.
    public struct Options: Sendable {
        /// Starts in full screen.
        public var isFullScreen = false
        /// The scaling of the picture; see `Scale`.
        public var scale = Scale.fit
        /// Watches only, even if the host allows control.
        public var isViewOnly = false
        /// The mapping of keys; `nil` for the user's last choice at this host, or by character if there was none.
        public var keys: Keys?
        /// The largest picture to receive, in pixels. The host scales a larger screen down; pictures that are larger
        /// nevertheless are not decoded. `nil` for any.
        public var largest: PixelSize?
        /// The decoder; a name is `vaapi`, for example. Hardware that fails is replaced by software, and a note says
        /// so.
        public var decoder = CodecChoice.automatic
        /// The host's monitor to show, by its name, if this viewer may choose; `nil` leaves the choice unchanged.
        public var monitor: String?
        /// Plays the host's sound; if false, the host sends none until the user turns it on.
        public var sound = true
        /// The volume of the host's sound, 0 to 1.
        public var volume = 1.0
        /// The playback device, by its name; `nil` for the default one.
        public var soundDevice: String?
        /// The pictures that are delayed to be in sync with the sound.
        public var sync = Sync.auto
        /// The microphone to send to the host, if it plays viewers' voices; `nil` for none.
        public var microphone: MicrophoneOptions?
        /// The options of sharing this machine's clipboard with the host while this viewer drives; `nil` shares none.
        public var clipboard: ClipboardOptions? = ClipboardOptions()
        /// The options of exchanging files with the host; `nil` for none.
        public var files: FileOptions? = FileOptions()
        /// The file to record picture and sound to, as received, before decoding; `nil` for none. The host then sends
        /// Opus. Notes report the recording.
        public var recording: RecordingOptions?
        /// The CSV file that gets a line for each shown picture, with its properties and the time that it spent in each
        /// stage; `nil` for none.
        public var trace: String?
        /// Keeps the window open when the host ends the session, with the reason shown in it, until the user closes
        /// it.
        public var staysOpen = false
        /// The text for that window about an error: its message by default, or more if the program's own options may
        /// help.
        public var explanation: @Sendable (HelioError) -> String = { $0.message }
        /// Shows a hint over the first picture about the window's keys.
        public var showsHint = false
        /// Starts with the statistics overlay.
        public var showsStatistics = false
        /// The time between two statistics, reported or shown; at least 50 ms.
        public var statisticsInterval = Duration.seconds(1)
        /// One of the specification's protection suites, for a host that chose it too; `nil` uses AES-GCM.
        public var protection: ProtectionOptions?
        /// The transports allowed for picture and input, between Heliograph's own ends.
        public var transport = NetworkTransport.automatic

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
    ///   - options: the window, and the limits of what this end accepts.
    ///   - onStatistics: called with the first picture, and at each ``Options/statisticsInterval``; on this thread.
    ///   - onNote: called on this thread with each note for the user; the session continues.
    ///
    /// Throws `invalidArgument` for a malformed link, or an unknown sound device or microphone, `unsupported` for a
    /// decoder or a microphone that this system can't provide, and `displayUnavailable` if no window can be opened.
    public convenience init(
        link: String, code: String? = nil, options: Options = Options(),
        onStatistics: ((ViewerStatistics) -> Void)? = nil, onNote: ((String) -> Void)? = nil
    ) throws(HelioError) {
        try self.init(try ViewTarget(parsing: link, code: code), options, onStatistics, onNote)
    }

    /// Opens the window for a discovered host, with a code or by this machine's pairing with it.
    ///
    /// Throws `invalidArgument` if there is neither, and `displayUnavailable` if no window can be opened.
    public convenience init(
        host: DiscoveredHost, code: String? = nil, options: Options = Options(),
        onStatistics: ((ViewerStatistics) -> Void)? = nil, onNote: ((String) -> Void)? = nil
    ) throws(HelioError) {
        try self.init(.link(try HostPairing.link(for: host, code: code)), options, onStatistics, onNote)
    }

    /// Opens the window, and waits for another program to publish its stream here. A note gives the URL; when the
    /// publisher has left, the next one may come.
    ///
    /// Throws `invalidArgument` if other machines could publish without a password, and `displayUnavailable` if no
    /// window can be opened.
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

    /// The exchange of files with the host; `nil` if there is none.
    public var files: SharedFiles? { loop.files?.shared }

    /// Runs until the window is closed or the session is over; throws the error unless the user ended it. If the
    /// window stays open to show that the host has stopped sharing, that is no error.
    public func run() throws(HelioError) { try loop.run() }

    /// Makes `run` return as if the user had closed the window: the host is notified, and a recording is completed.
    /// The closure can be called on any thread, before or during `run`.
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
