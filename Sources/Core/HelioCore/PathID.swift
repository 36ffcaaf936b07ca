/// A remote UDP address, as the driver saw it: engines compare paths and answer by them.
///
/// A value, so that nothing is kept for whoever sends: an address means nothing before its datagram is authenticated,
/// and then its session has it. An address of IPv4 is itself, also by a socket that takes both kinds.
package struct PathID: Hashable, Sendable {
    package var ip: IPAddress
    package var port: UInt16
    /// The interface of a link-local address, as the system numbers it; 0 for all others.
    package var zone: UInt32

    package init(_ ip: IPAddress, port: UInt16, zone: UInt32 = 0) {
        self.ip = ip.unmapped
        self.port = port
        self.zone = zone
    }
}
