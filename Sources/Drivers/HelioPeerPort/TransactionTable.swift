internal import HelioSTUN

/// The peers of the STUN requests that are on their way: a response goes to the peer that made the request, wherever it
/// comes from. The newest request evicts the oldest.
///
/// A response does not end the entry: somebody who sees a request could forge one, and must not take the genuine one's
/// place.
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
