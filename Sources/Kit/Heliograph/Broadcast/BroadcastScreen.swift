internal import HelioBroadcast
internal import HelioCore
private import HelioGround
private import HelioPicture

/// The encode of a screen for broadcasts, separate from the viewers': it has its own capture, picture and encoder, on a
/// thread of lower priority.
final class BroadcastScreen: Sendable {
    /// The controls of this encode, for the broadcast's requests.
    let controls: SourceControls
    private let thread: WorkerThread

    /// Starts the thread; nothing is captured until somebody watches.
    ///
    /// - Parameters:
    ///   - choice: the encoder to use.
    ///   - keepsAwake: whether the screen is kept from going dark while it is broadcast.
    ///   - submit: takes a slice, on the encode's thread; returns false if it could not.
    ///   - note: shows a note to the person.
    ///   - failed: called if the encode ends by an error.
    ///
    /// Throws `captureFailed` and `encoderFailed`.
    init<Platform: SourcePlatform>(
        _ encode: BroadcastEncode, display: String?, monitor: ScreenMonitor.ID, choice: CodecChoice, keepsAwake: Bool,
        on platform: Platform, submit: @escaping @Sendable (EncodedSlice) -> Bool,
        note: @escaping @Sendable (String) -> Void, failed: @escaping @Sendable (HelioError) -> Void
    ) throws(HelioError) {
        let capture = try platform.openScreen(
            display: display, monitor: monitor, framesPerSecond: encode.framesPerSecond)
        let cursor = try platform.openCursor(on: capture)
        var pointer: DrawnPointer?
        let controls = SourceControls(bell: capture.waker)
        let pipeline = try SourcePipeline(
            capture: capture, format: encode.format(of: capture.size), fit: { encode.fit($0) },
            longestPause: BroadcastOptions.longestPause, keepsAwake: keepsAwake, controls: controls,
            surroundings: .init(
                now: { MonotonicClock.now }, submit: submit,
                // People who watch at a server get no pointer shape, so the pointer is drawn into the picture.
                pollCursor: { () throws(HelioError) in
                    let (shape, place) = (try cursor.takeShape(), try cursor.takePosition())
                    if let shape {
                        pointer = DrawnPointer(shape: shape, x: pointer?.x ?? 0, y: pointer?.y ?? 0)
                    }
                    if let place {
                        pointer?.x = place.x
                        pointer?.y = place.y
                    }
                    capture.draw(cursor.isOnScreen ? pointer : nil)
                },
                tell: { news in
                    if case .note(let sentence) = news { note(sentence) }
                }),
            makeEncoder: { format, isFallback throws(HelioError) in
                try platform.makeEncoder(format, choice: isFallback ? .software : choice)
            })
        self.controls = controls
        thread = WorkerThread(name: "helio-broadcast", isUrgent: false) {
            do throws(HelioError) {
                try pipeline.run()
            } catch {
                failed(error)
            }
        }
    }

    /// Stops the encode and waits for its thread.
    func stop() async {
        controls.stop()
        await thread.join()
    }
}
