import HelioRTSP

/// The methods of a server of ours, and its limits for one connection.
struct ServerRules: Sendable {
    /// The allowed methods in the order in which RFC 2326 has them.
    var methods: [RTSPMethod]
    /// The methods that are known, and never allowed here.
    var refusedMethods: [RTSPMethod]
    /// The idle timeout of a session; told in `Session`.
    var timeout: Duration
    /// The most bytes that the system may not have taken yet.
    var mostUnsent: Int
    /// The reason given where a connection takes none of its answers.
    var unreadReason: String
    /// The most bytes that may come behind a request that waits for its answer.
    var mostWaiting: Int
    /// The status for a body that is longer than any here.
    var bodyTooLarge: RTSPStatus
    /// The drop counted for a connection that finds the server full.
    var full: ServerDrop

    /// The value of `Public` and `Allow`.
    var methodList: String { methods.map(\.rawValue).joined(separator: ", ") }
}
