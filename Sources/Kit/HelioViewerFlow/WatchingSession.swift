public import HelioViewing

/// A session with a host, as the flow uses it: ``SystemSession`` in the app, a test's own in tests.
@MainActor
public protocol WatchingSession: AnyObject {
    /// Connects. Called once.
    func start()
    /// Sends input of the app's controls; nothing happens where the host takes none.
    func send(_ input: SinkInput)
    /// Asks for one of the host's monitors.
    func selectMonitor(_ id: String)
    /// Plays the host's sound, or has the host send none.
    func setSound(on: Bool)
    /// Shows a pixel of the host as a pixel here, or the whole picture.
    func setActualSize(_ isOn: Bool)
    /// Pauses the stream while nobody sees it, or resumes it.
    func setPaused(_ isPaused: Bool)
    /// Leaves the host; `SessionEvent.ended` follows. What is held down there is released.
    func leave()
}
