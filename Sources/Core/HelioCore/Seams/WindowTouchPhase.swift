/// The phase of a touch of a window by a finger or pen.
package enum WindowTouchPhase: Sendable, Hashable, CaseIterable {
    case down
    case move
    case up
    /// The system has interpreted the touch as something else.
    case cancelled
}
