/// A reason that a sample of a broadcast was thrown away.
package enum BroadcastDrop: String, CaseIterable, Sendable {
    /// Of a type that nobody knows here.
    case unknownType
    /// It came while the broadcast was paused, as the system says that it doesn't.
    case paused
    /// It came before the start or after the end.
    case notRunning
}
