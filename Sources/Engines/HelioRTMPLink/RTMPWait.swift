/// What a server is waited for.
package enum RTMPWait: String, Sendable, Hashable, CaseIterable {
    case connection
    case handshake
    /// The answer to `connect`.
    case connect
    /// The answer to `createStream`.
    case createStream
    /// The answer to `publish`.
    case publish
}
