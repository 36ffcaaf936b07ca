/// The reason that a side gives for ending the session. After any of them the other side does not reconnect.
package enum RelayEndReason: UInt8, Sendable, Hashable, CaseIterable {
    /// The sender has stopped normally.
    case finished = 0
    /// Another extension has replaced this one.
    case replaced = 1
    /// The app does not support the version.
    case version = 2
}
