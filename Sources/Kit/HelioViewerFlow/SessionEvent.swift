public import HelioAppModels
public import HelioCore

/// An event of a session.
public enum SessionEvent: Sendable {
    /// The host answers.
    case reached
    /// The host has admitted this device.
    case letIn
    /// Pictures begin to arrive, for the first time or after a reconnection.
    case playing(PixelSize, allowsControl: Bool)
    /// The host accepts input from this device from now on, or no longer.
    case permission(allowsControl: Bool)
    /// The driver has changed.
    case driver(SessionDriver)
    /// The viewer with that name asks this device to hand over control.
    case controlRequested(name: String)
    /// The list of the host's monitors, or the shown one, has changed.
    case monitors([SessionMonitor], selected: String?)
    /// True once the host sends sound. `ViewerSession` reports it once, and not when the sound stops.
    case sound(isThere: Bool)
    /// The statistics as names and values for display, about once a second.
    case figures([SessionModel.Figure])
    /// The connection is lost; the session reconnects by itself, and `playing` or `ended` follows.
    case disconnected(reason: String)
    /// A note for the user; the session goes on.
    case note(String)
    /// The user has pressed the keys that enter or leave full screen.
    case fullScreenAsked
    /// The session is over. The last event; `nil` if the user has left.
    case ended(HelioError?)
}
