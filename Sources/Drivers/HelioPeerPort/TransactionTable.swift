internal import HelioSTUN

/// The peers of the STUN requests in flight. A response is passed to the peer that made the request, regardless of the
/// response's source address. A new request evicts the oldest request when the table is full.
///
/// A response does not remove the entry: an attacker who sees a request can forge a response, which must not block the
/// genuine one.
struct TransactionTable {
    private var owners: [STUNTransactionID: UInt64] = [:]
    private var order: [STUNTransactionID] = []
    private var oldest = 0
    private let capacity: Int

    init(capacity: Int) {
        self.capacity = capacity
    }

    subscript(_ transaction: STUNTransactionID) -> UInt64? { owners[transaction] }

    mutating func insert(_ transaction: STUNTransactionID, of peer: UInt64) {
        guard owners.updateValue(peer, forKey: transaction) == nil else { return }
        if order.count < capacity { return order.append(transaction) }
        owners[order[oldest]] = nil
        order[oldest] = transaction
        oldest = (oldest + 1) % capacity
    }
}
