internal import DequeModule

/// A host's memory of the ringers' nonces, by which it refuses a call that the server plays to it again.
///
/// Only the nonce of an envelope that has been opened is entered, so that only who knows a secret fills the memory.
package struct ReplayGuard: Sendable {
    /// The number of nonces that are kept.
    package static let capacity = 4_096

    private var known: Set<[UInt8]> = []
    private var order = Deque<[UInt8]>()

    package init() {}

    /// Enters a nonce. Returns false if it is already known: the call is a repetition, and has to end.
    package mutating func accept(_ nonce: [UInt8]) -> Bool {
        guard known.insert(nonce).inserted else { return false }
        order.append(nonce)
        if order.count > Self.capacity { known.remove(order.removeFirst()) }
        return true
    }
}
