/// The reason why a call has ended.
package enum HangUpReason: UInt8, Sendable, Hashable, CaseIterable {
    /// An end has hung up.
    case ended = 1
    /// The host takes no further call at present.
    case busy = 2
    /// The host is not connected.
    case unreachable = 3
    /// The token is not, or no longer, among the host's permits.
    case notPermitted = 4
    /// The ringer, the host or the server has as many calls as it may have.
    case tooMany = 5
    /// Messages, data or rings came faster than the limits allow, or than the other end reads them.
    case tooFast = 6
    /// The other end's connection, or its server, was lost.
    case lost = 7
    /// An end has violated the protocol of calls.
    case protocolError = 8
}
