/// A beat that is due: what the sender's driver makes a ``HeartbeatRecord`` of, with the time of the day.
package struct HeartbeatBeat: Sendable, Hashable {
    /// Counted from 0.
    package var sequence: UInt64
    /// True for the last one, at a clean end.
    package var isEnd: Bool
}
