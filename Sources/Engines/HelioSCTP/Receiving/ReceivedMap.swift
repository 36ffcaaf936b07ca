import HelioCore

/// Which TSNs have arrived: all up to `cumulative`, and a circle of bits for those behind gaps.
struct ReceivedMap: Sendable {
    /// How far past the cumulative TSN one may lie: a bit each.
    static let reach = 16384

    /// The last TSN before the first gap.
    private(set) var cumulative: TransmissionSequence
    private(set) var highest: TransmissionSequence
    private var words = [UInt64](repeating: 0, count: reach / 64)

    init(initial: TransmissionSequence) {
        cumulative = initial - 1
        highest = cumulative
    }

    var hasGaps: Bool { highest > cumulative }

    func contains(_ tsn: TransmissionSequence) -> Bool {
        tsn <= cumulative || tsn <= highest && bit(tsn)
    }

    /// The caller has made sure that `tsn` is new and within reach.
    mutating func insert(_ tsn: TransmissionSequence) {
        if tsn > highest { highest = tsn }
        if tsn == cumulative + 1 {
            cumulative = tsn
            passReceived()
        } else {
            set(tsn, to: true)
        }
    }

    /// All up to `tsn` counts as received (RFC 3758 section 3.6).
    mutating func advance(to tsn: TransmissionSequence) {
        guard tsn > cumulative else { return }
        if tsn >= highest {
            if hasGaps { for index in words.indices { words[index] = 0 } }
            highest = tsn
            cumulative = tsn
        } else {
            while cumulative < tsn {
                cumulative += 1
                set(cumulative, to: false)
            }
            passReceived()
        }
    }

    /// Appends the gap ack blocks, at most `limit` of them, and tells how many they are.
    func appendGaps(to bytes: inout [UInt8], limit: Int) -> Int {
        var count = 0
        var start = next(true, from: cumulative + 1)
        while start <= highest, count < limit {
            let end = next(false, from: start)
            bytes.append(bigEndian: UInt16(clamping: start - cumulative))
            bytes.append(bigEndian: UInt16(clamping: end - cumulative - 1))
            count += 1
            start = next(true, from: end)
        }
        return count
    }

    private mutating func passReceived() {
        while cumulative < highest, bit(cumulative + 1) {
            cumulative += 1
            set(cumulative, to: false)
        }
    }

    /// The first of this state at or after `start`; one past the highest where there is none.
    private func next(_ state: Bool, from start: TransmissionSequence) -> TransmissionSequence {
        var tsn = start
        while tsn <= highest {
            let place = Int(tsn.value & Int64(Self.reach - 1))
            let word = (state ? words[place >> 6] : ~words[place >> 6]) >> UInt64(place & 63)
            if word != 0 { return min(tsn + word.trailingZeroBitCount, highest + 1) }
            tsn += 64 - place & 63
        }
        return highest + 1
    }

    private func bit(_ tsn: TransmissionSequence) -> Bool {
        let place = Int(tsn.value & Int64(Self.reach - 1))
        return words[place >> 6] >> UInt64(place & 63) & 1 != 0
    }

    private mutating func set(_ tsn: TransmissionSequence, to value: Bool) {
        let place = Int(tsn.value & Int64(Self.reach - 1))
        let mask = UInt64(1) << UInt64(place & 63)
        if value { words[place >> 6] |= mask } else { words[place >> 6] &= ~mask }
    }
}
