/// The delegate of a connection to the sound server. It is called on the connection's thread, with the connection's
/// lock held.
protocol PulseUser: AnyObject {
    /// Called when a connection was made. Objects of an earlier connection no longer exist at the server.
    func connected()
    /// Called when the connection has broken, to release all objects made on it.
    func disconnected()
    /// Called when the default device changed, or a device appeared or disappeared.
    func devicesChanged()
}
