/// A hash of bytes that come piece by piece, implemented by a driver. A copy continues independently.
package protocol IncrementalHash: Sendable {
    mutating func update(_ bytes: RawSpan)

    /// The hash of all bytes so far; more may follow.
    func digest() -> [UInt8]
}
