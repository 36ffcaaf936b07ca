package import HelioCore

/// The kinds of datagrams of a session, which have a UDP port each unless they go through a tunnel.
package enum ServedDatagram: Sendable, Hashable, CaseIterable {
    case media, control
}

/// The tunnels to a host's viewers, by the virtual paths of their datagrams (`PathID.isVirtual`). Used on the server's
/// event loop only.
package protocol VirtualRoutes: AnyObject {
    /// Sends a datagram through the tunnel with this path. A datagram to a tunnel that has ended is dropped. Must not
    /// call the server.
    func send(_ bytes: [UInt8], _ class: ServedDatagram, to path: PathID)
}

/// The reason why an end of a session drops a datagram or a connection of a tunnel.
enum VirtualDrop: String, Sendable, CaseIterable, Hashable {
    /// A datagram of the media port's socket has a virtual source address, so it is forged.
    case forged = "forged-source"
    /// A datagram is longer than any that a socket would pass on.
    case tooLong = "tunnel-datagram-too-long"
    /// The path of a connection or datagram is a socket's.
    case notVirtual = "tunnel-path-not-virtual"
    /// A datagram arrived before its part of the session was open, or after that.
    case unwanted = "tunnel-datagram-unwanted"
    /// There are no tunnels, or none any more.
    case noRoutes = "no-tunnel"
}
