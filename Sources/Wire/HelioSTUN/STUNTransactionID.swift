/// The 96 bits that tie an answer to its question. Drawn at random: who can't guess it can't forge an answer.
package struct STUNTransactionID: Hashable, Sendable {
    package var high: UInt32
    package var low: UInt64

    package init(high: UInt32, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// - Parameter generator: the driver's secure one, anywhere but in a test.
    package init(using generator: inout some RandomNumberGenerator) {
        let first = generator.next()
        self.init(high: UInt32(truncatingIfNeeded: first), low: generator.next())
    }
}
