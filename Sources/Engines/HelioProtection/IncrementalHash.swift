/// A hash of what comes piece by piece, filled by a driver. A copy goes on by itself.
package protocol IncrementalHash: Sendable {
    mutating func update(_ bytes: RawSpan)

    /// The hash of all that has come so far; more may follow.
    func digest() -> [UInt8]
}
