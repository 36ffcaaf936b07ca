/// The sequence numbers seen so far, as a bitmap behind the highest.
///
/// The bitmap is a ring of 64-bit words (as in RFC 6479), so that advancing clears words and never shifts them. Callers
/// check a number first, which is cheap, and commit it only if its packet is genuine.
package struct ReplayWindow: Sendable {
    package enum Verdict: Hashable, Sendable {
        /// Not seen before.
        case fresh
        /// Seen before.
        case repeated
        /// Too far below the highest number to be known as fresh or repeated.
        case tooOld
    }

    /// The number of sequence numbers, counted down from the highest, that the window covers: one word less than the
    /// ring, because the highest number's word is only partly filled.
    package static let span: UInt64 = 64 * 31

    package private(set) var highest: UInt64?
    private var words = InlineArray<32, UInt64>(repeating: 0)

    package init() {}

    /// Makes a window in which all numbers up to `highest` count as seen; with `nil`, none do.
    package init(after highest: UInt64?) {
        guard let highest else { return }
        self.highest = highest
        words = InlineArray(repeating: .max)
        // The higher numbers in the same word of the ring are not seen yet.
        words[Self.word(of: highest)] = Self.bit(of: highest) | (Self.bit(of: highest) - 1)
    }

    package func verdict(on sequence: UInt64) -> Verdict {
        guard let highest, sequence <= highest else { return .fresh }
        if highest - sequence >= Self.span { return .tooOld }
        return words[Self.word(of: sequence)] & Self.bit(of: sequence) == 0 ? .fresh : .repeated
    }

    /// Marks a number as seen; has no effect if it is too old.
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
