/// The way in which a bottleneck's queue is kept from growing.
package enum QueueDiscipline: Sendable, Hashable {
    /// What finds the queue full is lost; nothing else is.
    case dropTail
    /// What has waited for too long is dropped at the queue's head (RFC 8289), and what finds it full is lost too.
    case codel
}
