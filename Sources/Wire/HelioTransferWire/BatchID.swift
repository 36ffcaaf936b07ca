/// The number of a batch: files that are offered together. Whoever offers draws it at random, and keeps it where the
/// channel is cut: by it the receiver knows the batch again.
package struct BatchID: Hashable, Sendable {
    package var rawValue: UInt64
    package init(_ rawValue: UInt64) { self.rawValue = rawValue }
}
