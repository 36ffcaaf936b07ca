/// The identifier of a batch of files that are offered together. The sender draws it at random, and keeps it if the
/// channel is lost, so that the receiver recognises the batch on the next channel.
package struct BatchID: Hashable, Sendable {
    package var rawValue: UInt64
    package init(_ rawValue: UInt64) { self.rawValue = rawValue }
}
