internal import HelioCore
internal import HelioSharing

/// A viewer's loop that an app can execute step by step, by calling `turn` on the window's thread instead of `run`.
protocol ViewerTurning: ViewerRunning {
    /// A closure that makes `run` return as if the user had closed the window. It can be called on any thread.
    var closer: @Sendable () -> Void { get }

    /// Connects to the host. Called once, before the first `turn`.
    func begin()
    /// Handles the user's input and the host's news, and shows the newest picture.
    ///
    /// - Parameter until: the time until which to wait for input or news; `nil` waits without a limit.
    /// - Returns: false if the user has closed the window.
    ///
    /// Throws the error that ends the session.
    func turn(until: Instant?) throws(HelioError) -> Bool
    /// The time at which `turn` has to be called even if no input or news arrives earlier.
    var nextDeadline: Instant? { get }
    /// Closes the connection to the host and stops sound and microphone, without waiting for the host.
    func end()
    /// A closure that waits until the connections are closed, at most two seconds for each, and stops the files, the
    /// clipboard, the recording and the decoder. It blocks, and is called on any thread, after `end`.
    var finish: @Sendable () -> Void { get }

    /// Sends input from an app's own controls, if the host accepts any.
    func send(_ input: SinkInput)
    /// Asks the host to show a monitor, if this viewer may choose.
    func selectMonitor(_ id: Monitor.ID)
    /// True if the host's sound is played.
    var isSoundOn: Bool { get set }
    func setScale(_ scale: Viewer.Scale)
    /// Pauses or resumes the stream; video continues with a keyframe.
    func setPaused(_ isPaused: Bool)
}
