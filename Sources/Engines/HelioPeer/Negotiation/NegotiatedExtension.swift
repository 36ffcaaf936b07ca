/// A header extension that both ends support.
package struct NegotiatedExtension: Sendable, Hashable {
    /// The element's ID, the same in both directions.
    package var id: UInt8
    package var uri: String
    package var canSend: Bool
    package var canReceive: Bool
}
