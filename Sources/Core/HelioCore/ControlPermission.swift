/// Whether a host takes input from a viewer. The words stand in offers, messages and stored pairings.
package enum ControlPermission: String, Sendable {
    case control
    case watch

    package init(allowsControl: Bool) { self = allowsControl ? .control : .watch }

    package var allowsControl: Bool { self == .control }
}
