public import HelioAppModels
public import HelioCore

/// What a session tells the flow.
public enum SessionEvent: Sendable {
    /// The host answers.
    case reached
    /// The host has let this device in.
    case letIn
    /// Pictures begin to come, for the first time or again.
    case playing(PixelSize, allowsControl: Bool)
    /// The host takes input from here now, or no longer.
    case permission(allowsControl: Bool)
    /// Who drives has changed.
    case driver(SessionDriver)
    /// Somebody of that name asks to drive in this device's stead.
    case controlRequested(name: String)
    /// The host's monitors, or which of them is shown.
    case monitors([SessionMonitor], selected: String?)
    /// Whether the host sends sound.
    case sound(isThere: Bool)
    /// Names and values, as they are shown: about once a second.
    case figures([SessionModel.Figure])
    /// The connection is lost; the session itself looks for the host, and `playing` or `ended` follows.
    case disconnected(reason: String)
    /// Something for the person to know; the session goes on.
    case note(String)
    /// The person has asked for full screen, or to leave it, by its keys.
    case fullScreenAsked
    /// The session is over: the last event. `nil`: the person has left.
    case ended(HelioError?)
}
