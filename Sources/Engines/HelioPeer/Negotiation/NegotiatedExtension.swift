/// A header extension that both ends know.
package struct NegotiatedExtension: Sendable, Hashable {
    /// The element's ID, either way.
    package var id: UInt8
    package var uri: String
    package var canSend: Bool
    package var canReceive: Bool
}
