internal import HelioBroadcast
internal import HelioCore
private import HelioGround
private import HelioPicture

/// The encoding of a screen for broadcasts, separate from the viewers' encoding: it has its own capture, picture and
/// encoder, on a thread of lower priority.
final class BroadcastScreen: Sendable {
    /// The controls of this encoding, for the broadcast's requests.
    let controls: SourceControls
    private let thread: WorkerThread

    /// Starts the thread; nothing is captured until a server accepts the broadcast.
    ///
    /// - Parameters:
    ///   - broadcast: receives the encoded pictures.
    ///   - choice: the encoder to use.
    ///   - keepsAwake: true to prevent the screen from being blanked while it is broadcast.
    ///   - events: receives a sentence if the encoding ends by an error.
    ///
    /// Throws `captureFailed` if the screen can't be captured, and `encoderFailed` if no encoder can be made.
    init<Platform: SourcePlatform>(
        of broadcast: HostBroadcast, display: String?, monitor: ScreenMonitor.ID, choice: CodecChoice,
        keepsAwake: Bool, on platform: Platform, events: SourceEvents
    ) throws(HelioError) {
        let encode = broadcast.encode
        let capture = try platform.openScreen(
            display: display, monitor: monitor, framesPerSecond: encode.framesPerSecond)
        let cursor = try platform.openCursor(on: capture)
        let outlet = BroadcastOutlet(broadcast, capture, cursor, platform, choice, events)
        let controls = SourceControls(bell: capture.waker)
        let pipeline = try SourcePipeline(
            capture: capture, format: encode.format(of: capture.size), fit: { encode.fit($0) },
            longestPause: BroadcastOptions.longestPause, keepsAwake: keepsAwake, controls: controls, outlet: outlet)
        self.controls = controls
        thread = WorkerThread(name: "helio-broadcast", isUrgent: false) {
            do throws(HelioError) {
                try pipeline.run()
            } catch {
                events.note("The broadcast has no picture any more: \(error.message)")
            }
        }
    }

    /// Stops the encoding and waits for its thread.
    func stop() async {
        controls.stop()
        await thread.join()
    }
}

/// The outlet of a broadcast's media thread: passes slices on to the broadcast, and draws the pointer into the
/// pictures.
private final class BroadcastOutlet<Platform: SourcePlatform>: PictureOutlet {
    private let broadcast: HostBroadcast
    private let screen: Platform.Screen
    private let cursor: Platform.Cursor
    private let platform: Platform
    private let choice: CodecChoice
    private let events: SourceEvents
    private var pointer: DrawnPointer?

    init(
        _ broadcast: HostBroadcast, _ screen: Platform.Screen, _ cursor: Platform.Cursor, _ platform: Platform,
        _ choice: CodecChoice, _ events: SourceEvents
    ) {
        self.broadcast = broadcast
        self.screen = screen
        self.cursor = cursor
        self.platform = platform
        self.choice = choice
        self.events = events
    }

    func makeEncoder(_ format: VideoFormat, isFallback: Bool) throws(HelioError) -> Platform.Encoder {
        try platform.makeEncoder(format, choice: isFallback ? .software : choice)
    }

    func submit(_ slice: EncodedSlice) -> Bool { broadcast.take(slice) }

    /// Draws the pointer into the picture, because a broadcast sends no separate pointer shape.
    func pollCursor() throws(HelioError) {
        let (shape, place) = (try cursor.takeShape(), try cursor.takePosition())
        if let shape { pointer = DrawnPointer(shape: shape, x: pointer?.x ?? 0, y: pointer?.y ?? 0) }
        if let place {
            pointer?.x = place.x
            pointer?.y = place.y
        }
        screen.draw(cursor.isOnScreen ? pointer : nil)
    }

    func take(_ news: PictureNews) {
        if case .note(let sentence) = news { events.note(sentence) }
    }
}
