/// The reason why a sample of a broadcast was dropped.
package enum BroadcastDrop: String, CaseIterable, Sendable {
    /// The sample has an unknown type.
    case unknownType
    /// The sample arrived while the broadcast was paused, although the system should then send none.
    case paused
    /// The sample arrived before the start or after the end.
    case notRunning
}
