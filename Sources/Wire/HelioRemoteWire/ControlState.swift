/// The control state from the point of view of one viewer.
package enum ControlState: Hashable, Sendable {
    case yours
    /// Nobody is in control; the first viewer that sends input gets control.
    case free
    /// Another participant is in control; `nil` if it is not a viewer, such as the user at the host.
    case taken(by: ViewerNumber?)
    /// This viewer may only watch.
    case forbidden
}
