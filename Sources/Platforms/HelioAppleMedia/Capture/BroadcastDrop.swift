/// The reason why a sample of a broadcast was dropped.
package enum BroadcastDrop: String, CaseIterable, Sendable {
    /// The sample has an unknown type.
    case unknownType
    /// The sample came while the broadcast was paused, when the system should send none.
    case paused
    /// The sample came before the start or after the end.
    case notRunning
}
