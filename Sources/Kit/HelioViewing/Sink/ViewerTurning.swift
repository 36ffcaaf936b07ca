internal import HelioCore

/// A viewer's loop that an app turns by itself, in place of `run`: on the thread that the window belongs to.
protocol ViewerTurning: ViewerRunning {
    /// Has `run` end as if the person had closed the window. Any thread.
    var closer: @Sendable () -> Void { get }

    /// Connects.
    func begin()
    /// Takes what the person and the host have done, and shows what there is to show.
    ///
    /// - Parameter until: how long to wait for the person or the host.
    /// - Returns: false when the person has closed the window.
    ///
    /// Throws the error that ends the session.
    func turn(until: Instant?) throws(HelioError) -> Bool
    /// When `turn` is needed next, though nothing has happened.
    var nextDeadline: Instant? { get }
    /// Leaves the host and stops sound, at once.
    func end()
    /// Waits until the connection is closed, for seconds at most, and lets go what is left. Any thread, after `end`.
    var finish: @Sendable () -> Void { get }

    /// Sends input of an app's own controls, where the host takes any.
    func send(_ input: SinkInput)
    /// Asks the host for a monitor, where this viewer may choose.
    func selectMonitor(_ id: MirrorSink.Monitor.ID)
    /// Whether the host's sound is played.
    var isSoundOn: Bool { get set }
    func setScale(_ scale: Viewer.Scale)
    /// Pauses the stream, or resumes it, video from a keyframe on.
    func setPaused(_ isPaused: Bool)
}
