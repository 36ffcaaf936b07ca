import HelioRTSP

/// The methods of a server of ours, and its limits for one connection.
struct ServerRules: Sendable {
    /// The allowed methods, in the order of RFC 2326.
    var methods: [RTSPMethod]
    /// The methods that are recognised, but never allowed.
    var refusedMethods: [RTSPMethod]
    /// The idle timeout of a session, announced in `Session`.
    var timeout: Duration
    /// The most sent bytes that the system may not have taken yet.
    var mostUnsent: Int
    /// The reason reported for a connection that does not read its answers.
    var unreadReason: String
    /// The most bytes that may follow a request that waits for its answer.
    var mostWaiting: Int
    /// The status for a body that is too long.
    var bodyTooLarge: RTSPStatus
    /// The drop counted for a connection that is refused because the server is full.
    var full: ServerDrop

    /// The value of `Public` and `Allow`.
    var methodList: String { methods.map(\.rawValue).joined(separator: ", ") }
}
