package import HelioCore

/// What an engine wants of its way to a TURN server.
package enum TURNLinkCommand: Sendable {
    /// A socket or connection of its own; one that was open before is closed.
    case open(TransportAddress, isTCP: Bool)
    case send([UInt8])
    case close
}
