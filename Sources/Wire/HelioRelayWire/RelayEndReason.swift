/// The reason why a side ends the session. The other side does not reconnect, whatever the reason.
package enum RelayEndReason: UInt8, Sendable, Hashable, CaseIterable {
    /// The sender has stopped normally.
    case finished = 0
    /// Another extension has replaced this one.
    case replaced = 1
    /// The app does not support the version.
    case version = 2
}
