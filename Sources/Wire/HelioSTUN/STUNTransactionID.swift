/// A transaction identifier: 96 bits that match a response to its request. It is random, so that an attacker who can't
/// read the request can't forge a response.
package struct STUNTransactionID: Hashable, Sendable {
    package var high: UInt32
    package var low: UInt64

    package init(high: UInt32, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// - Parameter generator: the driver's secure generator, except in tests.
    package init(using generator: inout some RandomNumberGenerator) {
        let first = generator.next()
        self.init(high: UInt32(truncatingIfNeeded: first), low: generator.next())
    }
}
