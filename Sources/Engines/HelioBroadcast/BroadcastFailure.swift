/// Why a broadcast's destination is not connected, in words for a person. Holds no secrets: neither stream keys nor
/// passphrases.
package struct BroadcastFailure: Error, Sendable, Hashable, CustomStringConvertible {
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The server's name is not known.
        case unresolved
        /// Nobody answers.
        case unreachable
        /// The server lets nobody in at the moment.
        case busy
        /// The connection broke.
        case lost
        /// Nothing could be sent for too long.
        case stalled
        /// The system or a library failed.
        case failed
        /// The server does not take the key, passphrase or stream's name.
        case unauthorized
        /// There is no such stream or place at the server.
        case notFound
        /// The two ends can't agree on a version or a setting.
        case incompatible
        /// The server is not who its certificate should say.
        case untrusted
        /// The server says no, for another reason.
        case refused
        /// A setting or port of this machine can't be used.
        case unusable
    }

    package var kind: Kind
    /// A whole sentence.
    package var message: String
    /// The least time until the next try that the server asks for; `nil` where it asks for none.
    package var retryAfter: Duration?

    package init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }

    /// True where trying again as things are is of no use.
    package var isFinal: Bool {
        switch kind {
        case .unauthorized, .notFound, .incompatible, .untrusted, .refused, .unusable: true
        case .unresolved, .unreachable, .busy, .lost, .stalled, .failed: false
        }
    }

    package var description: String { message }
}
