/// A replay window: a bitmap of the sequence numbers received so far, up to the highest.
///
/// The bitmap is a ring of 64-bit words (as in RFC 6479), so that an advance clears words instead of shifting them.
/// Check a number with `verdict(on:)` before the decryption, and `commit` it only if its packet is authentic.
package struct ReplayWindow: Sendable {
    package enum Verdict: Hashable, Sendable {
        /// The number was not committed before.
        case fresh
        /// The number was committed before.
        case repeated
        /// The number is below the window, so it may or may not be a repetition.
        case tooOld
    }

    /// The number of sequence numbers that the window covers, up to the highest: one word less than the ring, as the
    /// word with the highest number is partly unused.
    package static let span: UInt64 = 64 * 31

    package private(set) var highest: UInt64?
    private var words = InlineArray<32, UInt64>(repeating: 0)

    package init() {}

    /// Makes a window in which all numbers up to `highest` count as received; an empty window with `nil`.
    package init(after highest: UInt64?) {
        guard let highest else { return }
        self.highest = highest
        words = InlineArray(repeating: .max)
        // Clear the bits of the higher numbers in the same word.
        words[Self.word(of: highest)] = Self.bit(of: highest) | (Self.bit(of: highest) - 1)
    }

    package func verdict(on sequence: UInt64) -> Verdict {
        guard let highest, sequence <= highest else { return .fresh }
        if highest - sequence >= Self.span { return .tooOld }
        return words[Self.word(of: sequence)] & Self.bit(of: sequence) == 0 ? .fresh : .repeated
    }

    /// Marks a number as received. Has no effect on a number below the window.
    package mutating func commit(_ sequence: UInt64) {
        if let highest {
            if sequence > highest {
                // The words that the window moves into still have bits from the previous lap of the ring, so clear
                // them.
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
