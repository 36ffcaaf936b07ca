public import HelioViewing

/// The flow's interface to a session with a host. Implemented by ``SystemSession`` and by test doubles.
@MainActor
public protocol WatchingSession: AnyObject {
    /// Connects. Called once.
    func start()
    /// Sends input from the app's controls; does nothing if the host accepts none.
    func send(_ input: SinkInput)
    /// Asks the host to show one of its monitors.
    func selectMonitor(_ id: String)
    /// Turns the host's sound on or off; while it is off, the host is asked to send no sound.
    func setSound(on: Bool)
    /// Shows each pixel of the host's screen as one pixel of this device's, or fits the whole picture into the view.
    func setActualSize(_ isOn: Bool)
    /// Pauses the stream while nobody sees it, or resumes it.
    func setPaused(_ isPaused: Bool)
    /// Leaves the host; `SessionEvent.ended` follows. The host releases the keys and buttons that are held down.
    func leave()
}
