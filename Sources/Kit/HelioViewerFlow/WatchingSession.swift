public import HelioViewing

/// A session with a host as the flow uses it: ``SystemSession`` in the app, a test's own in tests.
@MainActor
public protocol WatchingSession: AnyObject {
    /// Connects. Called once.
    func start()
    /// Sends input from the app's controls; does nothing if the host accepts none.
    func send(_ input: SinkInput)
    /// Asks the host for one of its monitors.
    func selectMonitor(_ id: String)
    /// Plays the host's sound; if off, the host is asked to send none.
    func setSound(on: Bool)
    /// Shows each pixel of the host's screen as one pixel of this device's, or fits the whole picture into the view.
    func setActualSize(_ isOn: Bool)
    /// Pauses the stream while nobody sees it, or resumes it.
    func setPaused(_ isPaused: Bool)
    /// Leaves the host; `SessionEvent.ended` follows. Keys and buttons that are held down there are released.
    func leave()
}
