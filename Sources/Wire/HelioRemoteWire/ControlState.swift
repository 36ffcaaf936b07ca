/// The state of control as one viewer sees it: who drives.
package enum ControlState: Hashable, Sendable {
    case yours
    /// Nobody drives: whoever acts first does.
    case free
    /// Somebody else drives; `nil`: one who is no viewer, such as the person at the host.
    case taken(by: ViewerNumber?)
    /// This viewer may only watch.
    case forbidden
}
