internal import HelioSTUN

/// Whose questions of STUN are on their way: an answer is its asker's, wherever it comes from. The oldest is forgotten
/// for the newest.
///
/// An answer does not end the entry: who sees a question could forge one, and must not take the genuine one's place.
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
