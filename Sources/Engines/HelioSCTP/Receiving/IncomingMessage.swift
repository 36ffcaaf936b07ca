/// A complete received message.
package struct IncomingMessage: Sendable, Hashable {
    package var stream: UInt16
    /// The payload protocol identifier; RFC 8831 section 8 lists those of data channels.
    package var protocolID: UInt32
    package var payload: [UInt8]
    var isUnordered: Bool
    var sequence: UInt16
}
