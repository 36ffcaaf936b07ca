private import Foundation
public import HelioCore
private import HelioGround

/// A screen as a stream of encoded pictures, for an app that sends them over a transport of its own, such as WebRTC.
///
/// ```swift
/// let stream = try ScreenStream.start()
/// for try await frame in stream.frames { await send(frame) }
/// ```
///
/// Pictures are captured only when the screen changes. They don't contain the pointer.
public final class ScreenStream: Sendable {
    /// The source of a stream's pictures: a screen, or a test picture.
    public enum Subject: Sendable, Hashable {
        /// A monitor of an X display. `display` has the form of `$DISPLAY`; `nil` uses `$DISPLAY`. `monitor` is a
        /// number or a name; `nil` is the primary monitor.
        case screen(display: String? = nil, monitor: String? = nil)
        /// A light bar that moves to the right on a dark background. The top eighth of the picture shows the picture's
        /// number as a row of 16 cells, the highest bit first; a bit is 1 if the left half of its cell is the brighter
        /// half. Needs no X server.
        case testPicture(width: Int, height: Int)
    }

    /// The options of a stream: its subject, and the settings of its encoding.
    public struct Options: Sendable {
        /// The source of the pictures; by default the primary monitor.
        public var subject = Subject.screen()
        /// The maximum frame rate, in frames per second.
        public var framesPerSecond = 30
        /// The maximum bitrate, in bits per second.
        public var bitrate = 8_000_000
        /// The maximum size of the picture, in pixels; a larger screen is scaled down, with its aspect ratio unchanged.
        /// `nil` for no limit.
        public var largest: PixelSize?
        /// True to encode chroma at full resolution (4:4:4), in the High 4:4:4 Predictive profile; otherwise the
        /// profile is Constrained Baseline.
        public var fullChroma = false
        /// The receiver's `profile-level-id` from its SDP, such as `42e01f` (RFC 6184 section 8.1). Size, frame rate
        /// and chroma stay within its limits. `nil` for no limits.
        public var profileLevelID: String?

        /// Makes options for the primary screen in 4:2:0.
        public init() {}
    }

    /// The pictures in H.264, each a complete access unit. The sequence ends after `stop`, or throws the error that
    /// ended the stream.
    public let frames: ScreenFrames
    /// The encoder's human-readable name.
    public let encoder: String
    /// The size of the first picture, in pixels; later pictures differ if the screen's size changes.
    public let size: PixelSize
    /// The maximum frame rate of the stream, in frames per second, within the receiver's limits.
    public let framesPerSecond: Int
    /// Human-readable notes about limits of the display.
    public let notes: [String]

    private let controls: SourceControls
    private let thread: WorkerThread

    /// Starts to capture a screen or a test picture; the first picture is delivered at once.
    ///
    /// Throws `captureFailed`, `encoderFailed`, `invalidArgument` or `systemFailed`; the message suggests a remedy.
    public static func start(_ options: Options = Options()) throws(HelioError) -> ScreenStream {
        try start(options, on: systemSource)
    }

    /// Starts to capture with the given platform's capture and encoder.
    static func start(_ options: Options, on platform: some SourcePlatform) throws(HelioError) -> ScreenStream {
        switch options.subject {
        case .screen(let display, let monitor):
            let screen = try platform.openScreen(
                display: display, monitor: monitor, framesPerSecond: options.framesPerSecond)
            return try ScreenStream(screen, options, on: platform)
        case .testPicture(let width, let height):
            let screen = try platform.openTestScreen(
                size: PixelSize(width: width, height: height), framesPerSecond: options.framesPerSecond)
            return try ScreenStream(screen, options, on: platform)
        }
    }

    private init<Capture: ScreenCapturing, Platform: SourcePlatform>(
        _ capture: Capture, _ options: Options, on platform: Platform
    ) throws(HelioError) where Capture.Picture == Platform.Encoder.Picture {
        let limits = try options.profileLevelID.map { text throws(HelioError) in try ReceiverLimits(text) }
        var size = capture.size.fitted(within: options.largest).fitted(within: .largestCoded)
        if let limits { size = limits.fit(size) }
        let rate = limits?.framesPerSecond(options.framesPerSecond, of: size) ?? options.framesPerSecond
        let format = VideoFormat(
            codec: .h264, size: size, framesPerSecond: rate, bitrate: Bitrate(bitsPerSecond: options.bitrate),
            chroma: options.fullChroma && limits?.takesFullChroma != false ? .yuv444 : .yuv420,
            color: platform.color)
        let controls = SourceControls(bell: capture.waker)
        let frames = ScreenFrames()
        // If the screen grows later, the picture stays within the size that fits now.
        let largest = limits == nil && options.largest == nil ? nil : size
        let pipeline = try SourcePipeline(
            capture: capture, format: format, fit: { $0.fitted(within: largest) }, controls: controls,
            outlet: FrameOutlet(frames, platform))
        encoder = pipeline.encoderSummary
        controls.setWatched(true)
        thread = WorkerThread(name: "heliograph-media") {
            do throws(HelioError) {
                try pipeline.run()
                frames.finish(nil)
            } catch {
                frames.finish(error)
            }
        }
        self.controls = controls
        self.frames = frames
        self.size = size
        notes = capture.notes
        framesPerSecond = rate
    }

    deinit { controls.stop() }

    /// Makes the next picture a keyframe; it is encoded even if the screen has not changed.
    public func requestKeyframe() { controls.requestKeyframe("the app asks for it") }

    /// Sets the bitrate that the path carries, in bits per second. It is limited to the range from 50,000 to
    /// `Options.bitrate`. Size and frame rate don't change.
    public func setBitrate(_ bitsPerSecond: Int) {
        controls.setBitrate(Bitrate(bitsPerSecond: max(50_000, bitsPerSecond)))
    }

    /// Pauses capturing while nobody watches (false), or resumes it. The first picture afterwards is a keyframe only if
    /// one was requested. At the start, `watched` is true.
    public func setWatched(_ watched: Bool) { controls.setWatched(watched) }

    /// Ends the stream and the sequence `frames`, and waits for the media thread.
    public func stop() async {
        controls.stop()
        await thread.join()
    }
}

/// The outlet of a stream's media thread: joins the slices of each picture, and queues the picture for the app.
private final class FrameOutlet<Platform: SourcePlatform>: PictureOutlet {
    private let frames: ScreenFrames
    private let platform: Platform
    private var gathered = GatheredFrame()

    init(_ frames: ScreenFrames, _ platform: Platform) {
        self.frames = frames
        self.platform = platform
    }

    func makeEncoder(_ format: VideoFormat, isFallback: Bool) throws(HelioError) -> Platform.Encoder {
        try platform.makeEncoder(format, choice: .automatic)
    }

    func submit(_ slice: EncodedSlice) -> Bool { gathered.add(slice).map { frames.put($0) } ?? true }
}
