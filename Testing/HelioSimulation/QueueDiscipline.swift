/// The discipline that limits a bottleneck's queue.
package enum QueueDiscipline: Sendable, Hashable {
    /// Only packets that arrive at a full queue are dropped.
    case dropTail
    /// Packets that have waited too long are dropped at the queue's head (RFC 8289), in addition to packets that arrive
    /// at a full queue.
    case codel
}
