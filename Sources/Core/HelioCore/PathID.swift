/// A remote UDP address as seen by the driver: engines compare paths and answer on them.
///
/// A path is a value, without state for a sender: an address has no meaning until its datagram is authenticated, and
/// from then on the session stores it. An IPv4 address stays IPv4 even on a dual-stack socket.
package struct PathID: Hashable, Sendable {
    package var ip: IPAddress
    package var port: UInt16
    /// The interface of a link-local address, by the system's number; 0 for all others.
    package var zone: UInt32

    package init(_ ip: IPAddress, port: UInt16, zone: UInt32 = 0) {
        self.ip = ip.unmapped
        self.port = port
        self.zone = zone
    }
}
