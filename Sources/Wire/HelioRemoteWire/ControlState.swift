/// The control state from the point of view of one viewer.
public enum ControlState: Hashable, Sendable {
    /// The viewer is in control.
    case yours
    /// Nobody is in control; the first viewer that sends input gets control.
    case free
    /// Another participant is in control; `nil` if it is not a viewer, such as the user at the host.
    case taken(by: ViewerNumber?)
    /// This viewer may only watch.
    case forbidden
}
