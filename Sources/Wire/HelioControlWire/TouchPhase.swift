/// The phase of a touch by a finger or pen; the raw value is the action on the wire (requirement row 62 and the
/// decision about it).
package enum TouchPhase: UInt8, Sendable, CaseIterable {
    case down = 0
    case move = 1
    case up = 2
    case cancelled = 4
}
