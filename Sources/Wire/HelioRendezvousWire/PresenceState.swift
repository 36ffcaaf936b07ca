/// The presence of a device, as the rendezvous knows it.
package enum PresenceState: UInt8, Sendable, Hashable, CaseIterable {
    case online = 1
    case offline = 2
    /// The server knows no such device, or the token is wrong: it does not say which.
    case unknown = 3
}
