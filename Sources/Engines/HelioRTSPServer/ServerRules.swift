import HelioCore
import HelioRTSP

/// What a server of ours answers to, and what it bears of one connection.
struct ServerRules: Sendable {
    /// In the order in which RFC 2326 has them.
    var methods: [RTSPMethod]
    /// Known, and never allowed here.
    var refusedMethods: [RTSPMethod]
    /// Silence after which a session ends; told in `Session`.
    var timeout: Duration
    /// Bytes that the system may not have taken yet.
    var mostUnsent: Int
    /// Why a connection is closed that takes none of its answers.
    var unreadReason: String
    /// Bytes that may come behind a request that waits for its answer.
    var mostWaiting: Int
    /// How a body is answered that is longer than any here.
    var bodyTooLarge: RTSPStatus
    /// How a connection is counted that finds the server full.
    var full: ServerDrop

    /// The value of `Public` and `Allow`.
    var methodList: String { methods.map(\.rawValue).joined(separator: ", ") }
}
