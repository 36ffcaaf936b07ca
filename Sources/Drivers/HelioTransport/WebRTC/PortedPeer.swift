/// A peer of a port, whatever its engine is.
protocol PortedPeer: AnyObject {
    var number: UInt64 { get }
    func take(_ input: PeerPortInput)
    /// After this nothing comes of it any more.
    func stop()
}
