public import HelioAppModels
public import HelioCore

/// An event of a session with a host, delivered on the main actor.
public enum SessionEvent: Sendable {
    /// The host answers.
    case reached
    /// The host has admitted this device.
    case letIn
    /// Pictures of this size begin to arrive, for the first time or after a reconnection.
    case playing(PixelSize, allowsControl: Bool)
    /// The host now accepts, or no longer accepts, input from this device.
    case permission(allowsControl: Bool)
    /// The driver has changed.
    case driver(SessionDriver)
    /// The viewer with that name asks this device to hand over control.
    case controlRequested(name: String)
    /// The list of the host's monitors, or the shown monitor, has changed.
    case monitors([SessionMonitor], selected: String?)
    /// The host sends sound. `ViewerSession` reports this once, with `true`, and does not report when the sound stops.
    case sound(isThere: Bool)
    /// The statistics as names and values for display, about once a second.
    case figures([SessionModel.Figure])
    /// The connection is lost; the session reconnects by itself, and `playing` or `ended` follows.
    case disconnected(reason: String)
    /// A note for the user; the session continues.
    case note(String)
    /// The user has pressed the keys that enter or leave full screen.
    case fullScreenAsked
    /// The session has ended with an error, or `nil` if the user has left. This is the last event.
    case ended(HelioError?)
}
