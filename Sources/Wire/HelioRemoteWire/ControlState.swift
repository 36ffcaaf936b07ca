/// Who drives, as one viewer sees it.
package enum ControlState: Hashable, Sendable {
    case yours
    /// Who acts first has it.
    case free
    /// `nil`: somebody who is no viewer, such as the person at the host.
    case taken(by: ViewerNumber?)
    /// This viewer may only watch.
    case forbidden
}
