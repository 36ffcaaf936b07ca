/// A bit set over a sliding window of TSNs, in a ring indexed by TSN modulo `count`.
///
/// Ranges are cleared and searched one word at a time, so that a small chunk that covers many TSNs is cheap to process.
struct SequenceBits: Sendable {
    /// The number of consecutive TSNs that the window covers.
    static let count = 16384

    private var words = [UInt64](repeating: 0, count: count / 64)

    /// Returns true if the TSN's bit is set. The result is undefined if a set TSN is `count` or more away.
    func contains(_ tsn: TransmissionSequence) -> Bool { words[word(tsn)] >> bit(tsn) & 1 != 0 }

    mutating func insert(_ tsn: TransmissionSequence) { words[word(tsn)] |= 1 << bit(tsn) }

    mutating func remove(_ tsn: TransmissionSequence) { words[word(tsn)] &= ~(1 << bit(tsn)) }

    /// Clears the bits from `first` through `last`, at most `count` of them; none if `first` is greater than `last`.
    mutating func remove(_ first: TransmissionSequence, through last: TransmissionSequence) {
        var tsn = first
        while tsn <= last {
            let start = bit(tsn)
            let length = min(64 - Int(start), last - tsn + 1)
            words[word(tsn)] &= ~((UInt64.max >> UInt64(64 - length)) << start)
            tsn += length
        }
    }

    /// Returns the first TSN from `first` through `last` whose bit is `state`, or `last + 1` if there is none.
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
