internal import HelioCore
internal import HelioSharing

/// A viewer's loop whose `turn` an app calls itself, instead of `run`, on the window's thread.
protocol ViewerTurning: ViewerRunning {
    /// Makes `run` return as if the user had closed the window. The closure can be called on any thread.
    var closer: @Sendable () -> Void { get }

    /// Connects.
    func begin()
    /// Handles the user's input and the host's news, and shows the newest picture.
    ///
    /// - Parameter until: the time until which to wait for either.
    /// - Returns: false if the user has closed the window.
    ///
    /// Throws the error that ends the session.
    func turn(until: Instant?) throws(HelioError) -> Bool
    /// The time of the next necessary `turn`, if nothing happens before.
    var nextDeadline: Instant? { get }
    /// Leaves the host and stops sound, without waiting.
    func end()
    /// Waits until the connections are closed, for two seconds each at most, and frees the clipboard, the recording and
    /// the decoder. The closure is called on any thread, after `end`.
    var finish: @Sendable () -> Void { get }

    /// Sends input from an app's own controls, if the host accepts any.
    func send(_ input: SinkInput)
    /// Asks the host for a monitor, if this viewer may choose.
    func selectMonitor(_ id: Monitor.ID)
    /// True if the host's sound is played.
    var isSoundOn: Bool { get set }
    func setScale(_ scale: Viewer.Scale)
    /// Pauses the stream, or resumes it, video from a keyframe on.
    func setPaused(_ isPaused: Bool)
}
