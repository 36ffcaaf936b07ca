/// A remote UDP address as seen by the driver: engines compare paths and answer on them.
///
/// A path is a plain value, and the driver keeps no state for it: an address means nothing until a datagram from it is
/// authenticated, and from then on the session stores the path. An IPv4 address stays IPv4 even on a dual-stack socket.
package struct PathID: Hashable, Sendable {
    package var ip: IPAddress
    package var port: UInt16
    /// The system's index of the interface of a link-local address; 0 for all other addresses.
    package var zone: UInt32

    package init(_ ip: IPAddress, port: UInt16, zone: UInt32 = 0) {
        self.ip = ip.unmapped
        self.port = port
        self.zone = zone
    }
}
