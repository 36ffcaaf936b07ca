/// A remote UDP address, as the driver saw it: engines compare paths and answer on them.
///
/// A value, so that no state is kept for a sender: an address means nothing before its datagram is authenticated, and
/// then its session has it. An IPv4 address stays one on a dual-stack socket too.
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
