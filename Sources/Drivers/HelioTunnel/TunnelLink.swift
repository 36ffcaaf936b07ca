package import HelioLinks

/// A way for datagrams to the other end, beside the call and ICE: one by Bluetooth, for example. The bundle seals what
/// passes, so that a link needs no keys of its own. Lives on the tunnel's event loop.
package protocol TunnelLink: AnyObject {
    /// The kind and the width by which the bundle uses the link.
    var traits: LinkTraits { get }
    /// Called on the loop with each datagram; never from within `send`.
    var onDatagram: (([UInt8]) -> Void)? { get set }
    /// Called on the loop once, if the link ends by itself.
    var onEnd: (() -> Void)? { get set }
    /// Sends a datagram of at most 2,048 bytes, or drops it.
    func send(_ datagram: [UInt8])
    /// Ends the link; nothing is called any more.
    func close()
}
