/// A peer of a port, whatever its engine is.
protocol PortedPeer: AnyObject {
    var number: UInt64 { get }
    func take(_ input: PeerPortInput)
    /// A check of its own has shown that it is there.
    func isProven(at way: RouteTable.Way) -> Bool
    /// After this nothing comes of it any more.
    func stop()
}
