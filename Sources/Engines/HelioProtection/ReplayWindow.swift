/// Remembers which sequence numbers have been seen, as a bitmap behind the highest.
///
/// A ring of 64-bit words (the shape of RFC 6479), so that moving on clears words and never shifts them.
/// Look first, which is cheap, and commit only what has proved genuine.
package struct ReplayWindow: Sendable {
    package enum Verdict: Hashable, Sendable {
        /// Not seen before.
        case fresh
        /// Seen before.
        case repeated
        /// Too far behind the highest to tell.
        case tooOld
    }

    /// The number of sequence numbers, counted down from the highest, that can be told apart. One word of the ring less
    /// than its whole, because the highest number's word is only partly filled.
    package static let span: UInt64 = 64 * 31

    package private(set) var highest: UInt64?
    private var words = InlineArray<32, UInt64>(repeating: 0)

    package init() {}

    /// Takes all numbers up to this one as seen, whether they were or not; `nil`: none.
    package init(after highest: UInt64?) {
        guard let highest else { return }
        self.highest = highest
        words = InlineArray(repeating: .max)
        // The numbers after it, which the ring's word of the highest has room for.
        words[Self.word(of: highest)] = Self.bit(of: highest) | (Self.bit(of: highest) - 1)
    }

    package func verdict(on sequence: UInt64) -> Verdict {
        guard let highest, sequence <= highest else { return .fresh }
        if highest - sequence >= Self.span { return .tooOld }
        return words[Self.word(of: sequence)] & Self.bit(of: sequence) == 0 ? .fresh : .repeated
    }

    /// Marks a number as seen. One that is too old changes nothing.
    package mutating func commit(_ sequence: UInt64) {
        if let highest {
            if sequence > highest {
                // Words between the old and the new highest hold bits of numbers a whole ring ago.
                let steps = min(sequence >> 6 - highest >> 6, UInt64(words.count))
                for step in 0..<steps { words[Self.word(of: sequence &- step << 6)] = 0 }
                self.highest = sequence
            } else if highest - sequence >= Self.span {
                return
            }
        } else {
            highest = sequence
        }
        words[Self.word(of: sequence)] |= Self.bit(of: sequence)
    }

    private static func word(of sequence: UInt64) -> Int { Int(truncatingIfNeeded: sequence >> 6 & 31) }
    private static func bit(of sequence: UInt64) -> UInt64 { 1 << (sequence & 63) }
}
