/// The end that opens the connection.
package enum SRTMode: String, Sendable, Hashable, CaseIterable {
    /// This end connects.
    case caller
    /// This end waits for connections, one at a time.
    case listener
}
