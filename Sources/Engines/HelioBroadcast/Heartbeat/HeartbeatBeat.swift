/// A beat that is due, from which the sender's driver makes a ``HeartbeatRecord`` with the time of day.
package struct HeartbeatBeat: Sendable, Hashable {
    /// The beat's number, from 0.
    package var sequence: UInt64
    /// True for the last beat, at a clean end.
    package var isEnd: Bool
}
