/// The discipline that limits a bottleneck's queue.
package enum QueueDiscipline: Sendable, Hashable {
    /// Packets that arrive at a full queue are dropped, and no others.
    case dropTail
    /// Packets that have waited too long are dropped at the queue's head (RFC 8289), in addition to packets that arrive
    /// at a full queue.
    case codel
}
