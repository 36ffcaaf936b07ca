/// The control state from the point of view of one viewer.
package enum ControlState: Hashable, Sendable {
    case yours
    /// Nobody is in control; the first viewer that acts gets it.
    case free
    /// Another participant is in control; `nil` if it is not a viewer, such as the person at the host.
    case taken(by: ViewerNumber?)
    /// This viewer may only watch.
    case forbidden
}
