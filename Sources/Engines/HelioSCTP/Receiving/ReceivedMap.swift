import HelioCore

/// The set of received TSNs: all up to `cumulative`, and a ring of bits for those after it.
struct ReceivedMap: Sendable {
    /// The limit of the distance between a received TSN and the cumulative TSN.
    static let reach = SequenceBits.count

    /// The last TSN before the first gap.
    private(set) var cumulative: TransmissionSequence
    private(set) var highest: TransmissionSequence
    private var received = SequenceBits()

    init(initial: TransmissionSequence) {
        cumulative = initial - 1
        highest = cumulative
    }

    var hasGaps: Bool { highest > cumulative }

    func contains(_ tsn: TransmissionSequence) -> Bool {
        tsn <= cumulative || tsn <= highest && received.contains(tsn)
    }

    /// Marks a TSN as received. It has to be new and within `reach`.
    mutating func insert(_ tsn: TransmissionSequence) {
        if tsn > highest { highest = tsn }
        if tsn == cumulative + 1 {
            cumulative = tsn
            passReceived()
        } else {
            received.insert(tsn)
        }
    }

    /// Marks all TSNs up to `tsn` as received (RFC 3758 section 3.6).
    mutating func advance(to tsn: TransmissionSequence) {
        guard tsn > cumulative else { return }
        received.remove(cumulative + 1, through: min(tsn, highest))
        cumulative = tsn
        highest = max(highest, tsn)
        passReceived()
    }

    /// Appends at most `limit` gap ack blocks, and returns their number.
    func appendGaps(to bytes: inout [UInt8], limit: Int) -> Int {
        var count = 0
        var start = received.next(true, from: cumulative + 1, through: highest)
        while start <= highest, count < limit {
            let end = received.next(false, from: start, through: highest)
            bytes.append(bigEndian: UInt16(clamping: start - cumulative))
            bytes.append(bigEndian: UInt16(clamping: end - cumulative - 1))
            count += 1
            start = received.next(true, from: end, through: highest)
        }
        return count
    }

    private mutating func passReceived() {
        let end = received.next(false, from: cumulative + 1, through: highest)
        received.remove(cumulative + 1, through: end - 1)
        cumulative = end - 1
    }
}
