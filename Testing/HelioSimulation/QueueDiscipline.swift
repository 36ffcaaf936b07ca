/// The discipline that limits a bottleneck's queue.
package enum QueueDiscipline: Sendable, Hashable {
    /// Only packets that find the queue full are lost.
    case dropTail
    /// Packets that have waited too long are dropped at the queue's head (RFC 8289); packets that find the queue full
    /// are lost too.
    case codel
}
