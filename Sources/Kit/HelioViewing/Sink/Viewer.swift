public import HelioCore
internal import HelioMedia

/// Shows a shared screen in a window, and drives it where the host allows control.
///
/// Create and run it on the program's main thread, which belongs to the window. Frames are decoded on a thread of their
/// own, and the network has an event loop.
public final class Viewer {
    /// The scaling of the picture to the window.
    public enum Scale: String, Sendable, CaseIterable {
        /// The largest size that fits, with black bars.
        case fit
        /// One pixel of the picture for one of the window.
        case oneToOne = "1:1"
        /// The largest whole multiple that fits.
        case integer
    }

    /// What keys are at the host.
    public enum Keys: String, Sendable, CaseIterable {
        /// The character that a key makes here arrives, whatever the host's layout. Keys that make none, and all keys
        /// with Ctrl, Alt or the system's key, go by their place.
        case character
        /// Each key goes by its place, and the host's layout says what it makes.
        case place
    }

    /// The pictures that wait to be in step with the host's sound.
    public enum Sync: String, Sendable, CaseIterable {
        /// Moving video waits for its sound; a pointer, a letter and all else is shown at once.
        case auto
        /// None: each picture is shown as soon as it is there.
        case immediate
        /// All of them.
        case inStep = "in-step"
    }

    /// The options that a viewer starts with.
    public struct Options: Sendable {
        /// Starts in full screen.
        public var isFullScreen = false
        /// The scaling of the picture; see `Scale`.
        public var scale = Scale.fit
        /// Watches only, even where the host allows control.
        public var isViewOnly = false
        /// What keys are at the host; `nil`: what the person chose there last, and by character where there is nothing.
        public var keys: Keys?
        /// The largest picture to be sent, in pixels. The host scales a larger screen down; pictures that are larger
        /// all the same are not decoded. `nil` = any.
        public var largest: PixelSize?
        /// The decoder; by name, `vaapi`. Hardware that fails is replaced by software, and a note says so.
        public var decoder = CodecChoice.automatic
        /// The host's monitor to show, by its name, where this viewer may choose; `nil` leaves the choice as it is.
        public var monitor: String?
        /// Plays the host's sound; off, the host sends none until the person turns it on.
        public var sound = true
        /// The loudness of the host's sound, 0...1.
        public var volume = 1.0
        /// The device that plays it, by its name; `nil` is the default one.
        public var soundDevice: String?
        /// The pictures that wait to be in step with the sound.
        public var sync = Sync.auto
        /// The microphone that the host is to hear, where it hears viewers; `nil`: none.
        public var microphone: MicrophoneOptions?
        /// How this machine's clipboard is shared with the host while this viewer drives; `nil`: it is not.
        public var clipboard: ClipboardOptions? = ClipboardOptions()
        /// How files go between this machine and the host; `nil`: they don't.
        public var files: FileOptions? = FileOptions()
        /// The file that picture and sound are recorded to as they come, before they are decoded; `nil` records nothing.
        /// The host then sends Opus. Notes tell of it.
        public var recording: RecordingOptions?
        /// The file that gets a line for each picture that is shown, as CSV: what it was and how long it spent in each
        /// stage; `nil` = none.
        public var trace: String?
        /// Keeps the window when the host ends the session, with the reason in it, until the person closes it.
        public var staysOpen = false
        /// What to say in that window about an error: its message, or more, as a program's own options may help.
        public var explanation: @Sendable (HelioError) -> String = { $0.message }
        /// Says over the first picture how to find the window's keys.
        public var showsHint = false
        /// Starts with the statistics overlay.
        public var showsStatistics = false
        /// The time between two statistics, told or shown; 50 ms at least.
        public var statisticsInterval = Duration.seconds(1)
        /// One of the specification's suites, for a host that chose it too; `nil` is AES-GCM.
        public var protection: ProtectionOptions?
        /// The transports that picture and input may go by, between Heliograph's own ends.
        public var transport = NetworkTransport.automatic

        /// Makes options for a window with the picture fitted, and control where the host allows it.
        public init() {}
    }

    private let loop: any ViewerTurning

    /// Opens the window for a host or for a stream; `run` connects.
    ///
    /// - Parameters:
    ///   - link: the link that the sharing machine shows; or the address or name of a host that this machine is paired
    ///     with; or the `rtsp://` or `rtsps://` address of another program's stream, which can only be watched. User
    ///     and password of that are taken from the address, else from the environment: `HELIOGRAPH_RTSP_USER` and
    ///     `HELIOGRAPH_RTSP_PASSWORD`. Pictures of more than 35,651,584 pixels, which is more than any level of H.264
    ///     and H.265 has, are not decoded.
    ///   - code: the code that the host was started with, for its address as the link; pairs this machine with it.
    ///   - options: the window, and what this end can take.
    ///   - onStatistics: called with the first picture, and at each ``Options/statisticsInterval``; on this thread.
    ///   - onNote: called on this thread with each note for the person; the session goes on.
    ///
    /// Throws `invalidArgument` for a damaged link and for a sound device or microphone that is not there, `unsupported` for a
    /// decoder by name or a microphone that can't be had here, and `displayUnavailable` where no window can be opened.
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

    /// Opens the window, and waits for another program to publish its stream here. A note gives the URL; when the
    /// publisher has left, the next one may come.
    ///
    /// Throws `invalidArgument` where anybody on the network could publish, and `displayUnavailable` where no window
    /// can be opened.
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

    /// The files that go between this machine and the host; `nil` where they don't.
    public var files: SharedFiles? { loop.files?.shared }

    /// Runs until the window is closed or the session is over; throws the error where the person did not end it. A host
    /// that has stopped sharing is no error where the window stays open for it.
    public func run() throws(HelioError) { try loop.run() }

    /// Has `run` end as if the person had closed the window: the host is told, and a recording is whole. To be called on
    /// any thread, before `run` or while it goes on.
    public var closer: @Sendable () -> Void { loop.closer }
}

extension Viewer.Sync {
    /// The policy of the pictures' timing.
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
