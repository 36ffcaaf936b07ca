/// The reason why a broadcast's destination is not connected, with a human-readable message. It contains no secrets,
/// such as stream keys or passphrases.
package struct BroadcastFailure: Error, Sendable, Hashable, CustomStringConvertible {
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The server's name can't be resolved.
        case unresolved
        /// The server does not answer.
        case unreachable
        /// The server accepts no connections at the moment.
        case busy
        /// An established connection was lost.
        case lost
        /// The server has read no data for too long.
        case stalled
        /// The system or a library failed.
        case failed
        /// The server rejects the key, passphrase or stream name.
        case unauthorized
        /// The server has no such stream or application.
        case notFound
        /// This machine and the server have no version or setting in common.
        case incompatible
        /// The server's certificate is not trusted.
        case untrusted
        /// The server refuses the stream for another reason.
        case refused
        /// A setting or port of this machine can't be used.
        case unusable
    }

    package var kind: Kind
    /// The human-readable message, a complete sentence.
    package var message: String
    /// The minimum wait before the next attempt that the server requests; `nil` if it requests none.
    package var retryAfter: Duration?

    package init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }

    /// True if another attempt would be useless unless a setting is changed.
    package var isFinal: Bool {
        switch kind {
        case .unauthorized, .notFound, .incompatible, .untrusted, .refused, .unusable: true
        case .unresolved, .unreachable, .busy, .lost, .stalled, .failed: false
        }
    }

    package var description: String { message }
}
