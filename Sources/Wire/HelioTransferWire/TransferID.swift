/// The number of a transfer. Whoever requests gives it: each end numbers what it has requested itself.
package struct TransferID: Hashable, Sendable {
    package var rawValue: UInt32
    package init(_ rawValue: UInt32) { self.rawValue = rawValue }
}
