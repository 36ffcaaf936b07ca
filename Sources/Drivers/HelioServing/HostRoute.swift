package import HelioCore
package import NIOCore

/// A tunnel to a host, which a viewer uses in place of sockets of its own. Used on the viewer's event loop only.
package protocol HostRoute: AnyObject {
    /// The host's virtual path (`PathID.isVirtual`).
    var path: PathID { get }
    /// False if the tunnel carries no datagrams, so that media and input have to go inside the stream.
    var carriesDatagrams: Bool { get }
    /// Called with each datagram from the host; never from within `send`.
    var received: ((_ bytes: [UInt8], _ class: ServedDatagram) -> Void)? { get set }
    /// Opens the stream to the host, once: an open channel on the viewer's event loop, without handlers, and with no
    /// byte read from it before the future's callbacks have run.
    func open() -> EventLoopFuture<any Channel>
    /// Sends a datagram to the host, or drops it if the tunnel can't.
    func send(_ bytes: [UInt8], _ class: ServedDatagram)
    /// Ends the tunnel. Called once the stream has closed, or if it could not be opened; may be called again.
    func close()
}

extension HostRoute {
    /// True: the default for a tunnel of datagram links.
    package var carriesDatagrams: Bool { true }
}
