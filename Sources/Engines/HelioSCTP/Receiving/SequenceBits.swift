/// A bit for each of the TSNs from some moving point on: a circle, on which a TSN's place is its remainder.
///
/// Stretches are cleared and looked through a word at a time, so that what a few bytes say of many TSNs costs little.
struct SequenceBits: Sendable {
    /// How many TSNs in a row have a bit each.
    static let count = 16384

    private var words = [UInt64](repeating: 0, count: count / 64)

    /// Tells nothing of a TSN that is further than `count` from those that are set.
    func contains(_ tsn: TransmissionSequence) -> Bool { words[word(tsn)] >> bit(tsn) & 1 != 0 }

    mutating func insert(_ tsn: TransmissionSequence) { words[word(tsn)] |= 1 << bit(tsn) }

    mutating func remove(_ tsn: TransmissionSequence) { words[word(tsn)] &= ~(1 << bit(tsn)) }

    /// Clears all from one to another; nothing where the first lies behind the last. At most `count` of them.
    mutating func remove(_ first: TransmissionSequence, through last: TransmissionSequence) {
        var tsn = first
        while tsn <= last {
            let start = bit(tsn)
            let length = min(64 - Int(start), last - tsn + 1)
            words[word(tsn)] &= ~((UInt64.max >> UInt64(64 - length)) << start)
            tsn += length
        }
    }

    /// The first of this state from one TSN to another; one past the last where there is none.
    func next(
        _ state: Bool, from first: TransmissionSequence, through last: TransmissionSequence
    ) -> TransmissionSequence {
        var tsn = first
        while tsn <= last {
            let start = bit(tsn)
            let rest = (state ? words[word(tsn)] : ~words[word(tsn)]) >> start
            if rest != 0 { return min(tsn + rest.trailingZeroBitCount, last + 1) }
            tsn += 64 - Int(start)
        }
        return last + 1
    }

    private func word(_ tsn: TransmissionSequence) -> Int { Int(tsn.value & Int64(Self.count - 1)) >> 6 }
    private func bit(_ tsn: TransmissionSequence) -> UInt64 { UInt64(tsn.value & 63) }
}
