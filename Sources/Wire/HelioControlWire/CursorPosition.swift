/// The position of the host's pointer, sent from host to viewer. Only the message with the newest sequence number
/// counts.
///
/// ```
///  0      1               5            9            13        14
///  +------+---------------+------------+------------+---------+
///  |  5   | sequence u32  |   x f32    |   y f32    | visible |
///  +------+---------------+------------+------------+---------+
/// ```
package struct CursorPosition: Hashable, Sendable {
    /// The sequence number, which wraps.
    package var sequence: UInt32
    package var point: NormalizedPoint
    package var isVisible: Bool

    package init(sequence: UInt32, point: NormalizedPoint, isVisible: Bool) {
        self.sequence = sequence
        self.point = point
        self.isVisible = isVisible
    }
}
