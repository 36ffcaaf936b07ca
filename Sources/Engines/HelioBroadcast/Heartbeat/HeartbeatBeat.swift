/// A beat that is due. The sender's driver adds the time of day, and writes it as a ``HeartbeatRecord``.
package struct HeartbeatBeat: Sendable, Hashable {
    /// The beat's number, from 0.
    package var sequence: UInt64
    /// True for the last beat, which marks a clean end.
    package var isEnd: Bool
}
