/// The reason that a side gives for ending the session. None of them asks for another try.
package enum RelayEndReason: UInt8, Sendable, Hashable, CaseIterable {
    /// Whoever says it has stopped, in good order.
    case finished = 0
    /// Another extension has taken the place.
    case replaced = 1
    /// The app knows nothing of this version.
    case version = 2
}
